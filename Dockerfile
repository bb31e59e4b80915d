# syntax=docker/dockerfile:1

# Wonderpost in a container. It wants a Postgres, named in DATABASE_URL: see compose.yaml, and docs/HOSTING.md.

FROM rust:1.95-slim-bookworm AS build
WORKDIR /wonderpost

# The dependencies first, with nothing of ours in them: this layer stays as long as they do.
COPY Cargo.toml Cargo.lock ./
COPY .cargo .cargo
RUN mkdir src \
    && echo 'fn main() {}' > src/main.rs \
    && touch src/lib.rs \
    && cargo build --release --locked \
    && rm -rf src

# Queries are checked against .sqlx: no database is needed here. COPY keeps old file times, so ours are made newer.
COPY . .
RUN find src -name '*.rs' -exec touch {} + \
    && cargo build --release --locked

FROM debian:bookworm-slim
# What Debian has fixed since is wanted, so no versions are named.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/wonderpost --create-home wonderpost
COPY --from=build /wonderpost/target/release/wonderpost /usr/local/bin/wonderpost

USER 10001
WORKDIR /var/lib/wonderpost
ENV WONDERPOST_LISTEN=0.0.0.0:8080
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 CMD ["wonderpost", "health"]
ENTRYPOINT ["wonderpost"]
CMD ["serve"]
