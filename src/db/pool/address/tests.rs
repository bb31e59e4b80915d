use crate::db::pool::address::*;

/// Host or folder of the socket, and port, of each server.
fn servers(text: &str) -> Vec<(String, u16)> {
    let address: Address = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let server = |host: &PgConnectOptions| {
        let folder = host.get_socket().map(|folder| folder.display().to_string());
        (folder.unwrap_or_else(|| host.get_host().to_owned()), host.get_port())
    };
    address.hosts.iter().map(server).collect()
}

fn list(servers: &[(&str, u16)]) -> Vec<(String, u16)> {
    servers.iter().map(|(host, port)| ((*host).to_owned(), *port)).collect()
}

fn refusal(text: &str) -> AddressError {
    text.parse::<Address>().expect_err(text)
}

#[test]
fn a_url_names_one_server_or_several() {
    for (text, expected) in [
        ("postgres://one/db", &[("one", 5432)][..]),
        ("postgresql://user:word@one:5433/db?sslmode=disable", &[("one", 5433)]),
        ("postgres://user@one:5432,two:5433/db?target_session_attrs=read-write", &[("one", 5432), ("two", 5433)]),
        ("postgres://one,two,three:7000/db", &[("one", 5432), ("two", 5432), ("three", 7000)]),
        ("postgres://[2001:db8::1]:5433,[::1]/db", &[("2001:db8::1", 5433), ("::1", 5432)]),
        ("postgres://%2Fvar%2Frun%2Fpostgresql:5433,two/db", &[("/var/run/postgresql", 5433), ("two", 5432)]),
        ("postgres:///db?host=one,two&port=1,2", &[("one", 1), ("two", 2)]),
        ("postgres:///db?host=/tmp,two&port=6000", &[("/tmp", 6000), ("two", 6000)]),
        ("postgres://elsewhere:1/db?host=one&port=2", &[("one", 2)]),
        ("postgres://user@/db?host=%2Ftmp", &[("/tmp", 5432)]),
    ] {
        assert_eq!(servers(text), list(expected), "{text}");
    }
}

#[test]
fn a_list_of_words_names_one_server_or_several() {
    for (text, expected) in [
        ("host=one dbname=db", &[("one", 5432)][..]),
        ("host=one,two port=5432,5433 dbname=db", &[("one", 5432), ("two", 5433)]),
        ("host=one,two port=6000 dbname=db", &[("one", 6000), ("two", 6000)]),
        ("host=one,two port=,7000 dbname=db", &[("one", 5432), ("two", 7000)]),
        ("host = '/tmp,two' port = 1,2", &[("/tmp", 1), ("two", 2)]),
        ("  hostaddr=10.0.0.1,::1\n  host=one,two ", &[("10.0.0.1", 5432), ("::1", 5432)]),
    ] {
        assert_eq!(servers(text), list(expected), "{text}");
    }
}

#[test]
fn what_else_is_said_holds_for_every_server() {
    let url =
        "postgres://a%40b:p%2Cw%25@one,two/my%20db?application_name=tea&options=-c%20work_mem=1MB&connect_timeout=2";
    let words = r"host=one,two user=a@b password='p,w%' dbname='my db' application_name=tea options='-c work_mem=1MB' connect_timeout=2";
    for text in [url, words] {
        let address: Address = text.parse().expect(text);
        assert_eq!(address.connect_timeout, Some(Duration::from_secs(2)));
        assert_eq!(address.hosts.len(), 2);
        for host in &address.hosts {
            assert_eq!((host.get_username(), host.get_database()), ("a@b", Some("my db")), "{text}");
            assert_eq!((host.get_application_name(), host.get_options()), (Some("tea"), Some("-c work_mem=1MB")));
            assert!(format!("{host:?}").contains("p,w%"), "the password is kept");
        }
        assert_eq!(address.to_string(), "one:5432, two:5432", "the log gets no name and no password");
    }
}

#[test]
fn quotations_and_backslashes_keep_what_they_keep() {
    let address: Address = r"user = 'it\'s me' password=a\\b\ c dbname=''  host=one".parse().expect("an address");
    assert_eq!(address.hosts[0].get_username(), "it's me");
    assert!(format!("{:?}", address.hosts[0]).contains(r"a\\b c"));
}

#[test]
fn which_server_is_meant_can_be_said_and_of_several_it_is_the_one_that_takes_writes() {
    let target = |text: &str| text.parse::<Address>().expect(text).target;
    assert_eq!(target("postgres://one/db"), Target::Any);
    assert_eq!(target("postgres://one,two/db"), Target::ReadWrite);
    assert_eq!(target("host=one,two target_session_attrs=any"), Target::Any);
    for (word, expected) in [
        ("any", Target::Any),
        ("read-write", Target::ReadWrite),
        ("read-only", Target::ReadOnly),
        ("primary", Target::Primary),
        ("standby", Target::Standby),
        ("prefer-standby", Target::PreferStandby),
    ] {
        assert_eq!(target(&format!("postgres://one/db?target_session_attrs={word}")), expected);
    }
}

#[test]
fn a_server_fits_by_being_in_recovery_and_by_being_read_only() {
    let states = [(false, false), (false, true), (true, true)];
    for (target, fits) in [
        (Target::Any, [true, true, true]),
        (Target::ReadWrite, [true, false, false]),
        (Target::ReadOnly, [false, true, true]),
        (Target::Primary, [true, true, false]),
        (Target::Standby, [false, false, true]),
        (Target::PreferStandby, [false, false, true]),
    ] {
        assert_eq!(states.map(|(in_recovery, read_only)| target.fits(in_recovery, read_only)), fits, "{target:?}");
    }
}

#[test]
fn what_is_wrong_is_said_without_telling_the_password() {
    use AddressError::*;
    for (text, error) in [
        ("", NeitherForm),
        ("mysql://one/db", NeitherForm),
        ("one", NeitherForm),
        ("host=one port", NoValue("port".into())),
        ("host='one", OpenQuotation),
        ("host=one colour=red", Unknown("colour".into())),
        ("host=one,two port=1,2,3", Uneven { hosts: 2, others: 3, what: "ports" }),
        ("host=one,two hostaddr=10.0.0.1", Uneven { hosts: 1, others: 2, what: "names" }),
        ("postgres://one:http/db", Value("port")),
        ("host=one port=0", Value("port")),
        ("host=one port=70000", Value("port")),
        ("host=one connect_timeout=soon", Value("connect_timeout")),
        ("host=one target_session_attrs=nearest", Value("target_session_attrs")),
        ("postgres://%zz@one/db", Encoding),
        ("postgres://%ff@one/db", Encoding),
        ("postgres://one/db?sslmode", NoValue("sslmode".into())),
    ] {
        assert_eq!(refusal(text), error, "{text}");
    }
    let words = refusal("host=one password=jabberwock sslmode=perhaps").to_string();
    assert!(!words.contains("jabberwock"), "{words}");
}
