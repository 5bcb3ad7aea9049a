//! Runs a script by its digest, and sends its text only to a server that does not know it (a new one, or one that was
//! restarted). `KEYS[1]` only routes: scripts derive every key of their slot from it, see [`crate::keys`]. `KEYS[2]` is another
//! that no key has: a server refuses a call with several keys (`TRYAGAIN`) while their slot is moved and one of them is not
//! there, so no script runs where a part of what it reads has gone ahead.

use crate::{Error, connection::Connection, keys};
use redis::{ErrorKind, FromRedisValue, ServerErrorKind};
use std::{borrow::Cow, sync::LazyLock};

/// What every script begins with.
const CALL: &str = include_str!("scripts/lib/call.lua");

/// What scripts on tenants share: the queue's state machine.
pub(crate) const QUEUE: &str = include_str!("scripts/lib/queue.lua");

/// What scripts on credentials share.
const CREDENTIALS: &str = include_str!("scripts/lib/credentials.lua");

/// A script with what it needs in front of it.
pub(crate) struct LuaScript {
    code: String,
    digest: String,
}

impl LuaScript {
    /// A script on tenants: the keys, then the shared parts, then the script itself.
    pub(crate) fn new(parts: &[&str]) -> Self {
        Self::of(keys::lua_prelude() + &parts.join("\n"))
    }

    /// A script on credentials.
    pub(crate) fn on_credentials(script: &str) -> Self {
        Self::of([&keys::lua_credentials(), CREDENTIALS, script].join("\n"))
    }

    fn of(code: String) -> Self {
        let code = [CALL, &code].join("\n");
        let digest = redis::Script::new(&code).get_hash().to_owned();
        Self { code, digest }
    }
}

/// One call of a script: its routing key and its arguments, in the order that its header names them.
pub(crate) struct Call<'a> {
    script: &'a LuaScript,
    key: String,
    args: Vec<Cow<'a, [u8]>>,
    again: bool,
}

impl<'a> Call<'a> {
    pub(crate) fn new(script: &'a LazyLock<LuaScript>, key: String) -> Self {
        Self { script, key, args: Vec::new(), again: true }
    }

    /// Appends a text or bytes.
    #[must_use]
    pub(crate) fn arg(mut self, arg: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        self.args.push(Cow::Borrowed(arg.as_ref()));
        self
    }

    /// Appends a number, an id or anything else that is written out.
    #[must_use]
    pub(crate) fn show(mut self, arg: impl ToString) -> Self {
        self.args.push(Cow::Owned(arg.to_string().into_bytes()));
        self
    }

    /// Appends an argument that the script asks for by its name.
    #[must_use]
    pub(crate) fn named(self, name: &'a str, value: impl ToString) -> Self {
        self.arg(name).show(value)
    }

    /// Sends it once: the caller comes again anyway, and has others to ask meanwhile.
    #[must_use]
    pub(crate) fn once(mut self) -> Self {
        self.again = false;
        self
    }

    pub(crate) async fn run<T: FromRedisValue>(&self, connection: &Connection) -> Result<T, Error> {
        let answer = match connection.send(&self.command("EVALSHA", &self.script.digest), self.again).await? {
            Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
                connection.send(&self.command("EVAL", &self.script.code), self.again).await?
            }
            answer => answer,
        };
        T::from_redis_value(answer?).map_err(Error::corrupt)
    }

    fn command(&self, verb: &str, script: &str) -> redis::Cmd {
        let mut cmd = redis::cmd(verb);
        cmd.arg(script).arg(2).arg(&self.key).arg(keys::never(&self.key));
        for arg in &self.args {
            cmd.arg(arg.as_ref());
        }
        cmd
    }
}

/// Appends how many texts follow, and the texts.
pub(crate) fn append_list<'a>(call: Call<'a>, list: &'a [impl AsRef<[u8]>]) -> Call<'a> {
    list.iter().fold(call.show(list.len()), |call, text| call.arg(text))
}
