//! The account that the server runs as: Postgres refuses root.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, lchown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::db::cluster::ClusterError;

/// An account to run as in place of root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    name: String,
    uid: u32,
    gid: u32,
}

impl Account {
    /// `None` where we are not root and the server runs as ourselves. A cluster that somebody else made stays theirs; a new
    /// one belongs to `postgres`, or to `nobody`.
    pub fn choose(home: &Path) -> Result<Option<Account>, ClusterError> {
        let us = rustix::process::geteuid();
        let owner = fs::metadata(home).ok();
        if !us.is_root() {
            return match owner {
                Some(owner) if owner.uid() != us.as_raw() => Err(ClusterError::NotOurs {
                    folder: home.to_path_buf(),
                    owner: name_of(owner.uid()).unwrap_or_else(|| owner.uid().to_string()),
                }),
                _ => Ok(None),
            };
        }
        if let Some(owner) = owner.filter(|owner| owner.uid() != 0) {
            let name = name_of(owner.uid()).unwrap_or_else(|| owner.uid().to_string());
            return Ok(Some(Account { name, uid: owner.uid(), gid: owner.gid() }));
        }
        let known = accounts();
        let found = ["postgres", "nobody"].iter().find_map(|name| known.iter().find(|account| account.name == *name));
        Ok(Some(found.cloned().ok_or(ClusterError::NoAccount)?))
    }

    /// Lets a command run as this account. The standard library drops root's supplementary groups along with the user id.
    pub fn runs(&self, command: &mut Command) {
        command.uid(self.uid).gid(self.gid);
    }

    /// Gives a folder that is root's to this account, with all that is in it (somebody may have restored it from a copy).
    pub fn own(&self, path: &Path) -> io::Result<()> {
        let found = fs::symlink_metadata(path)?;
        if found.uid() == self.uid {
            return Ok(());
        }
        if found.is_dir() {
            for entry in fs::read_dir(path)? {
                self.own(&entry?.path())?;
            }
        }
        // Last, so that a hand-over that was broken off is taken up again.
        lchown(path, Some(self.uid), Some(self.gid))
    }

    /// Whether the account can get to a path, as far as that exists; if not, the folder that keeps it out is named.
    pub fn check_way_to(&self, path: &Path) -> Result<(), ClusterError> {
        match self.kept_out_by(path) {
            None => Ok(()),
            Some(blocked) => {
                Err(ClusterError::Unreachable { account: self.name.clone(), path: path.to_path_buf(), blocked })
            }
        }
    }

    fn kept_out_by(&self, path: &Path) -> Option<PathBuf> {
        let real = path.ancestors().find_map(|ancestor| fs::canonicalize(ancestor).ok())?;
        let mut way: Vec<&Path> = real.ancestors().collect();
        way.reverse();
        way.into_iter()
            .find(|folder| fs::metadata(folder).is_ok_and(|found| !self.may_enter(&found)))
            .map(Path::to_path_buf)
    }

    fn may_enter(&self, found: &Metadata) -> bool {
        let mode = found.mode();
        let allowed = if found.uid() == self.uid {
            mode & 0o100
        } else if found.gid() == self.gid {
            mode & 0o010
        } else {
            mode & 0o001
        };
        !found.is_dir() || allowed != 0
    }
}

fn accounts() -> Vec<Account> {
    let table = fs::read_to_string("/etc/passwd").unwrap_or_default();
    table
        .lines()
        .filter_map(|line| {
            let mut fields = line.split(':');
            let (name, _password, uid, gid) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
            Some(Account { name: name.to_owned(), uid: uid.parse().ok()?, gid: gid.parse().ok()? })
        })
        .collect()
}

fn name_of(uid: u32) -> Option<String> {
    accounts().into_iter().find(|account| account.uid == uid).map(|account| account.name)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_folder_that_keeps_an_account_out_is_named() {
        let stranger = Account { name: "stranger".into(), uid: 54_321, gid: 54_321 };
        let outer = std::env::temp_dir().join(format!("wonderpost-way-{}", std::process::id()));
        let closed = outer.join("closed");
        fs::create_dir_all(closed.join("inner")).unwrap();
        fs::set_permissions(&outer, fs::Permissions::from_mode(0o711)).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();

        let way_in = stranger.kept_out_by(&closed.join("inner/not/made/yet"));
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o711)).unwrap();
        let way_in_then = stranger.kept_out_by(&closed.join("inner/not/made/yet"));

        let closed = fs::canonicalize(&closed).unwrap();
        fs::remove_dir_all(&outer).unwrap();
        assert_eq!((way_in, way_in_then), (Some(closed), None));
    }
}
