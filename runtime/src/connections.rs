//! The connections of one port, and which of them give way where there are too many: what has brought no token first,
//! of the client address that holds the most; then what rests between two requests. Whoever has brought a token loses no
//! answer to somebody new.

use crate::{
    lock,
    shares::{Exceeded, Holder, Share, ShareLimits, Shares, one_less},
};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex},
};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// How many connections there may be; `usize::MAX` is no limit.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Open at once; further ones wait in the operating system's queue.
    pub total: usize,
    /// Open at once of one client address.
    pub per_client: usize,
    /// Open at once of one tenant, by the token that each brought last.
    pub per_tenant: usize,
    /// Open at once of one token, likewise.
    pub per_token: usize,
}

/// The connections of one port.
#[derive(Debug)]
pub(crate) struct Connections {
    limits: ConnectionLimits,
    shares: Arc<Shares>,
    table: Mutex<ConnectionTable>,
    /// Rings when a connection ended.
    ended: Notify,
}

#[derive(Debug, Default)]
struct ConnectionTable {
    /// Counts what happens, so that the oldest is known.
    clock: u64,
    open: HashMap<u64, ConnectionEntry>,
    clients: HashMap<IpAddr, usize>,
}

#[derive(Debug)]
struct ConnectionEntry {
    client: IpAddr,
    /// Taken by the token that was brought last.
    share: Option<Share>,
    /// How many answers are under way on it.
    answers: u32,
    /// When it came, or its last answer ended.
    since: u64,
    give_way: CancellationToken,
}

/// One connection, as an extension of its requests.
#[derive(Clone, Debug)]
pub struct ClientConnection(Arc<OpenConnection>);

#[derive(Debug)]
struct OpenConnection {
    connections: Arc<Connections>,
    id: u64,
    give_way: CancellationToken,
}

/// An answer that is under way.
#[derive(Debug)]
pub(crate) struct Answering(ClientConnection);

impl Connections {
    pub(crate) fn new(limits: ConnectionLimits) -> Arc<Self> {
        let of_tokens = ShareLimits { total: usize::MAX, per_tenant: limits.per_tenant, per_token: limits.per_token };
        Arc::new(Self { limits, shares: Shares::new(of_tokens), table: Mutex::default(), ended: Notify::new() })
    }

    /// Takes a connection in, once there is room. `None`: its address holds as many as it may, all of them in use.
    pub(crate) async fn admit(self: &Arc<Self>, client: IpAddr) -> Option<ClientConnection> {
        loop {
            let ended = self.ended.notified();
            tokio::pin!(ended);
            ended.as_mut().enable();
            {
                let mut table = lock(&self.table);
                if table.clients.get(&client).copied().unwrap_or(0) >= self.limits.per_client
                    && !table.make_room(|entry| entry.client == client)
                {
                    return None;
                }
                if table.open.len() < self.limits.total || table.make_room(|_| true) {
                    return Some(self.open(&mut table, client));
                }
            }
            ended.await;
        }
    }

    fn open(self: &Arc<Self>, table: &mut ConnectionTable, client: IpAddr) -> ClientConnection {
        let (id, give_way) = (table.tick(), CancellationToken::new());
        let entry = ConnectionEntry { client, share: None, answers: 0, since: id, give_way: give_way.clone() };
        table.open.insert(id, entry);
        *table.clients.entry(client).or_default() += 1;
        ClientConnection(Arc::new(OpenConnection { connections: Arc::clone(self), id, give_way }))
    }
}

impl ConnectionTable {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// Ends a connection that may give way; false where there is none.
    fn make_room(&mut self, among: impl Fn(&ConnectionEntry) -> bool) -> bool {
        let held = |entry: &ConnectionEntry| self.clients.get(&entry.client).copied().unwrap_or(0);
        let all = || self.open.iter().filter(|(_, entry)| among(entry));
        let nameless = all().filter(|(_, entry)| entry.share.is_none());
        let nameless = nameless.max_by_key(|(_, entry)| (held(entry), std::cmp::Reverse(entry.since)));
        let resting = || all().filter(|(_, entry)| entry.answers == 0).min_by_key(|(_, entry)| entry.since);
        let Some(id) = nameless.or_else(resting).map(|(id, _)| *id) else { return false };
        if let Some(entry) = self.remove(id) {
            entry.give_way.cancel();
        }
        true
    }

    fn remove(&mut self, id: u64) -> Option<ConnectionEntry> {
        let entry = self.open.remove(&id)?;
        one_less(&mut self.clients, &entry.client);
        Some(entry)
    }
}

impl ClientConnection {
    /// Says who speaks on this connection, from now on.
    ///
    /// # Errors
    /// When the token or its tenant holds as many connections as it may.
    pub fn belongs_to(&self, holder: &Holder) -> Result<(), Exceeded> {
        let connections = &self.0.connections;
        let mut table = lock(&connections.table);
        // One that is giving way belongs to nobody any more.
        let Some(entry) = table.open.get_mut(&self.0.id) else { return Ok(()) };
        if entry.share.as_ref().is_some_and(|share| share.holder() == holder) {
            return Ok(());
        }
        entry.share = None;
        entry.share = Some(connections.shares.take(holder)?);
        Ok(())
    }

    /// An answer begins; it is under way until what is returned is dropped.
    pub(crate) fn answering(&self) -> Answering {
        if let Some(entry) = lock(&self.0.connections.table).open.get_mut(&self.0.id) {
            entry.answers += 1;
        }
        Answering(self.clone())
    }

    /// Resolves when the connection is to end, to make room.
    pub(crate) async fn gives_way(&self) {
        self.0.give_way.cancelled().await;
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        drop(lock(&self.connections.table).remove(self.id));
        self.connections.ended.notify_waiters();
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let mut table = lock(&self.0.0.connections.table);
        let now = table.tick();
        if let Some(entry) = table.open.get_mut(&self.0.0.id) {
            entry.answers -= 1;
            entry.since = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn connections(total: usize, per_client: usize) -> Arc<Connections> {
        Connections::new(ConnectionLimits { total, per_client, per_tenant: usize::MAX, per_token: usize::MAX })
    }

    fn client(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    fn dana() -> Holder {
        Holder { tenant: "a".to_owned(), token: "t".to_owned() }
    }

    fn is_open(connection: &ClientConnection) -> bool {
        !connection.0.give_way.is_cancelled()
    }

    #[tokio::test]
    async fn the_oldest_without_a_token_gives_way_of_the_address_that_holds_the_most() {
        let connections = connections(4, usize::MAX);
        let single = connections.admit(client(1)).await.unwrap();
        let many = [2, 2, 2].map(client);
        let mut opened = Vec::new();
        for address in many {
            opened.push(connections.admit(address).await.unwrap());
        }
        opened[0].belongs_to(&dana()).unwrap();
        let _new = connections.admit(client(3)).await.unwrap();
        let left = opened.iter().map(is_open).collect::<Vec<_>>();
        assert_eq!((left, is_open(&single)), (vec![true, false, true], true));
    }

    #[tokio::test]
    async fn what_rests_gives_way_next_and_what_is_answered_never() {
        let connections = connections(2, usize::MAX);
        let busy = connections.admit(client(1)).await.unwrap();
        let resting = connections.admit(client(1)).await.unwrap();
        let _answer = busy.answering();
        for connection in [&busy, &resting] {
            connection.belongs_to(&dana()).unwrap();
        }
        let new = connections.admit(client(1)).await.unwrap();
        assert!(is_open(&busy) && !is_open(&resting));
        new.belongs_to(&dana()).unwrap();
        let answer = new.answering();
        let waits = tokio::time::timeout(Duration::from_millis(50), connections.admit(client(2)));
        assert!(waits.await.is_err(), "nobody gives way, so it waits");
        let (another, ()) = tokio::join!(connections.admit(client(2)), async { drop((new, answer)) });
        assert!(another.is_some());
    }

    #[tokio::test]
    async fn an_address_with_all_its_connections_in_use_is_refused() {
        let connections = connections(10, 1);
        let busy = connections.admit(client(1)).await.unwrap();
        busy.belongs_to(&dana()).unwrap();
        let _answer = busy.answering();
        assert!(connections.admit(client(1)).await.is_none());
        assert!(connections.admit(client(2)).await.is_some());
    }
}
