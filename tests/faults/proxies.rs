//! Proxies in front of services, with the configuration that `deploy/` offers to hosts.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};

use crate::service::free_address;
use crate::wait_until;

/// A proxy that runs. Dropping it ends it.
pub struct Proxy {
    pub address: SocketAddr,
    child: Child,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The addresses that the offered configuration names: its own, and those of four services.
const NAMED: [&str; 5] = ["127.0.0.1:8080", "127.0.0.1:8081", "127.0.0.1:8082", "127.0.0.1:8083", "127.0.0.1:8084"];

/// Reads a file of `deploy/` with the addresses of this run in the places of those that it names.
fn configuration(file: &str, own: SocketAddr, services: &[SocketAddr]) -> anyhow::Result<String> {
    ensure!(services.len() == NAMED.len() - 1, "the configuration is for four services");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(file);
    let mut text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    // First by marks: an address of this run may be one that is named.
    for (place, named) in NAMED.iter().enumerate() {
        ensure!(text.contains(named), "{file} does not name {named}");
        text = text.replace(named, &format!("@{place}@"));
    }
    for (place, address) in std::iter::once(&own).chain(services).enumerate() {
        text = text.replace(&format!("@{place}@"), &address.to_string());
    }
    Ok(text)
}

fn run(folder: &Path, name: &str, address: SocketAddr, mut command: Command) -> anyhow::Result<Proxy> {
    let log = File::create(folder.join(format!("{name}.log")))?;
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let child = command.spawn().with_context(|| format!("{name} is not installed: ./test faults does that"))?;
    let proxy = Proxy { address, child };
    wait_until(&format!("{name} takes connections"), Duration::from_secs(20), || TcpStream::connect(address).is_ok())?;
    // Its first look at the services.
    std::thread::sleep(Duration::from_secs(2));
    Ok(proxy)
}

/// Debian keeps these where not everybody looks for programs.
fn program(name: &str) -> PathBuf {
    let found = ["/usr/sbin", "/usr/local/sbin"].iter().map(|folder| Path::new(folder).join(name));
    found.into_iter().find(|path| path.exists()).unwrap_or_else(|| name.into())
}

pub fn haproxy(folder: &Path, services: &[SocketAddr]) -> anyhow::Result<Proxy> {
    let address = free_address()?;
    let file = folder.join("haproxy.cfg");
    fs::write(&file, configuration("haproxy/haproxy.cfg", address, services)?)?;
    let mut command = Command::new(program("haproxy"));
    command.arg("-db").arg("-f").arg(&file);
    run(folder, "haproxy", address, command)
}

pub fn nginx(folder: &Path, services: &[SocketAddr]) -> anyhow::Result<Proxy> {
    let address = free_address()?;
    let site = folder.join("wonderpost.conf");
    fs::write(&site, configuration("nginx/wonderpost.conf", address, services)?)?;
    let file = folder.join("nginx.conf");
    let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {}/{name};\n", folder.display()))
        .concat();
    let text = format!(
        "daemon off; worker_processes 1; pid {0}/nginx.pid; error_log stderr warn;\n\
         {1}events {{ worker_connections 1024; }}\n\
         http {{ access_log off; {places} include {2}; }}\n",
        folder.display(),
        // As root its workers would be another account, which cannot get to the folder.
        if rustix::process::geteuid().is_root() { "user root;\n" } else { "" },
        site.display()
    );
    fs::write(&file, text)?;
    let mut command = Command::new(program("nginx"));
    command.arg("-e").arg("stderr").arg("-p").arg(folder).arg("-c").arg(&file);
    run(folder, "nginx", address, command)
}
