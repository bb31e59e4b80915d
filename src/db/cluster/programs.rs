//! Finds the server programs of Postgres on this machine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::db::cluster::ClusterError;

/// A folder with `initdb` and `postgres` in it, and the major version they belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Programs {
    pub folder: PathBuf,
    pub major: u32,
}

impl Programs {
    /// The programs to use. Once there is a cluster its version decides: no other can read it.
    pub fn find(setting: Option<&Path>, made_by: Option<u32>, cluster: &Path) -> Result<Programs, ClusterError> {
        let found: Vec<Programs> = match setting {
            Some(folder) => {
                let programs =
                    [folder.to_path_buf(), folder.join("bin")].iter().find_map(|folder| Programs::at(folder));
                vec![programs.ok_or_else(|| ClusterError::NotPrograms { folder: folder.to_path_buf() })?]
            }
            None => known_folders().iter().filter_map(|folder| Programs::at(folder)).collect(),
        };
        let Some(first) = found.first() else { return Err(ClusterError::NoPrograms) };
        let Some(major) = made_by else { return Ok(first.clone()) };
        found.iter().find(|programs| programs.major == major).cloned().ok_or_else(|| ClusterError::OtherVersion {
            cluster: cluster.to_path_buf(),
            major,
            found: found.iter().map(Programs::to_string).collect::<Vec<_>>().join(", "),
        })
    }

    /// The programs in a folder, if they are there and run. What is on PATH may be a link to the real folder, or a link to
    /// a wrapper that has no server beside it.
    fn at(folder: &Path) -> Option<Programs> {
        let initdb = fs::canonicalize(folder.join("initdb")).ok()?;
        let folder = initdb.parent()?.to_path_buf();
        let version = Command::new(folder.join("postgres")).arg("--version").output().ok()?;
        let major = major_version(&String::from_utf8_lossy(&version.stdout))?;
        Some(Programs { folder, major })
    }

    pub fn initdb(&self) -> PathBuf {
        self.folder.join("initdb")
    }

    pub fn postgres(&self) -> PathBuf {
        self.folder.join("postgres")
    }
}

impl std::fmt::Display for Programs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} in {}", self.major, self.folder.display())
    }
}

/// The folders where server programs are found: PATH, then where Debian, Red Hat and Homebrew put them, newest first.
fn known_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = env::var_os("PATH").iter().flat_map(env::split_paths).collect();
    for (parent, prefix) in [
        ("/usr/lib/postgresql", ""),
        ("/usr", "pgsql-"),
        ("/opt/homebrew/opt", "postgresql"),
        ("/usr/local/opt", "postgresql"),
        ("/home/linuxbrew/.linuxbrew/opt", "postgresql"),
    ] {
        folders.extend(newest_first(parent, prefix).into_iter().map(|folder| folder.join("bin")));
    }
    folders
}

fn newest_first(parent: &str, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let mut versions: Vec<(u32, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let version = name.strip_prefix(prefix)?.trim_start_matches('@').parse().unwrap_or(0);
            Some((version, entry.path()))
        })
        .collect();
    versions.sort_by(|a, b| b.cmp(a));
    versions.into_iter().map(|(_, folder)| folder).collect()
}

/// `postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)` is version 15.
fn major_version(text: &str) -> Option<u32> {
    let number = text.strip_prefix("postgres (PostgreSQL) ")?;
    let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    number[..digits].parse().ok()
}

/// The major version that made a cluster, if there is one.
pub(crate) fn cluster_version(cluster: &Path) -> Option<u32> {
    fs::read_to_string(cluster.join("PG_VERSION")).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_what_the_server_says() {
        assert_eq!(major_version("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)\n"), Some(15));
        assert_eq!(major_version("postgres (PostgreSQL) 18beta1\n"), Some(18));
        assert_eq!(major_version("psql (PostgreSQL) 15.14\n"), None);
    }

    #[test]
    fn newer_versions_come_first() {
        let parent = std::env::temp_dir().join(format!("wonderpost-versions-{}", std::process::id()));
        for name in ["postgresql@9", "postgresql@16", "postgresql", "redis"] {
            fs::create_dir_all(parent.join(name)).unwrap();
        }
        let found = newest_first(parent.to_str().unwrap(), "postgresql");
        fs::remove_dir_all(&parent).unwrap();
        assert_eq!(found, ["postgresql@16", "postgresql@9", "postgresql"].map(|name| parent.join(name)));
    }
}
