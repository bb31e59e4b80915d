# syntax=docker/dockerfile:1

# Wonderpost in a container. It wants a Postgres, named in DATABASE_URL: see compose.yaml, and docs/HOSTING.md.

FROM rust:1.95-slim-bookworm AS build
WORKDIR /wonderpost

# The dependencies first, with nothing of ours in them: this layer stays as long as they do.
COPY Cargo.toml Cargo.lock ./
COPY .cargo .cargo
COPY crates/bench/Cargo.toml crates/bench/Cargo.toml
COPY crates/games/Cargo.toml crates/games/Cargo.toml
COPY crates/rules/Cargo.toml crates/rules/Cargo.toml
RUN mkdir src crates/bench/src crates/games/src crates/rules/src \
    && echo 'fn main() {}' > src/main.rs \
    && touch src/lib.rs crates/bench/src/lib.rs crates/games/src/lib.rs crates/rules/src/lib.rs \
    && cargo build --profile dist --locked --package wonderpost \
    && rm -rf src crates

# Queries are checked against .sqlx: no database is needed here. COPY keeps old file times, so ours are made newer.
COPY . .
RUN find src crates -name '*.rs' -exec touch {} + \
    && cargo build --profile dist --locked --package wonderpost

FROM debian:bookworm-slim
# What Debian has fixed since is wanted, so no versions are named.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/wonderpost --create-home wonderpost
COPY --from=build /wonderpost/target/dist/wonderpost /usr/local/bin/wonderpost

USER 10001
WORKDIR /var/lib/wonderpost
ENV WONDERPOST_LISTEN=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["wonderpost", "health"]
ENTRYPOINT ["wonderpost"]
CMD ["serve"]
