//! The one place where a key is spelled. Rust asks [`Keys`]; scripts get the same names as Lua tables ([`lua_prelude`]).
//!
//! `<prefix>:{<tag>}:…`: what stands in braces decides the slot. A tenant hashes to one of a fixed number of
//! partitions, and everything of the tenant and of its partition's queue carries that partition's tag, so that one
//! script may touch all of it. Credentials have a tag of their own. README.md says what each key holds.

use gleaner_model::{ItemKey, TenantId};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use uuid::Uuid;

/// Keys of a partition, by the name that scripts know them by: `P.ready` is `<partition>:ready`.
const PARTITION: [&str; 5] = ["ready", "busy", "state", "sweep", "webhooks"];

/// Keys of a tenant: `T.stream` is `<partition>:t:<tenant>:stream`. A name that ends in ':' is a family, one key each
/// for what is appended: `T.job .. id`.
const TENANT: [&str; 50] = [
    "stream",
    "dead",
    "seq",
    "jobs:",
    "ended",
    "events",
    "event_bytes",
    "backlog",
    "job:",
    "item:",
    "idem:",
    "rate:",
    "task:",
    "said:",
    "others:",
    "ordinals",
    "changed",
    "counts",
    "at:",
    "rank:",
    "ids:",
    "post:",
    "long:",
    "vocab",
    "recent:",
    "due:",
    "tops:",
    "moves:",
    "linked",
    "erasing",
    "staged:",
    "landing",
    "unindexed",
    "indexing",
    "learning",
    "lessons",
    "lessons_at",
    "left:",
    "trimmed",
    "webhooks",
    "webhook:",
    "message:",
    "unsent:",
    "sent:",
    "chunks",
    "ix:",
    "bits:",
    "links",
    "horizon",
    "chores",
];

/// Spells the keys of one installation.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    prefix: String,
    partitions: u16,
}

impl Keys {
    pub(crate) fn new(prefix: &str, partitions: u16) -> Self {
        Self { prefix: prefix.to_owned(), partitions }
    }

    pub(crate) const fn partitions(&self) -> u16 {
        self.partitions
    }

    /// The partition of a tenant, for good: FNV-1a of its name.
    pub(crate) fn partition_of(&self, tenant: &TenantId) -> u16 {
        let hash = tenant
            .as_str()
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        // The remainder is below a u16.
        (hash % u32::from(self.partitions)) as u16
    }

    /// What every key of the partition begins with. No key has this name: it is what routes a script to its slot.
    pub(crate) fn partition(&self, partition: u16) -> String {
        format!("{}:{{p{partition:02}}}", self.prefix)
    }

    /// The root of the partition that the tenant lives in.
    pub(crate) fn root(&self, tenant: &TenantId) -> String {
        self.partition(self.partition_of(tenant))
    }

    /// A key of a tenant: `name` is one of the names that scripts know as well, with its suffix if it is a family.
    pub(crate) fn tenant(&self, tenant: &TenantId, name: &str) -> String {
        format!("{}:t:{}:{name}", self.root(tenant), tenant.as_str())
    }

    /// HASH of the partition's counts.
    pub(crate) fn state(&self, partition: u16) -> String {
        format!("{}:state", self.partition(partition))
    }

    /// What every key of the credentials begins with.
    pub(crate) fn credentials(&self) -> String {
        format!("{}:{{cred}}", self.prefix)
    }

    /// HASH of one credential.
    pub(crate) fn credential(&self, hash: &str) -> String {
        format!("{}:record:{hash}", self.credentials())
    }

    /// STRING that stands for a session which was ended.
    pub(crate) fn ended_session(&self, id: Uuid) -> String {
        format!("{}:session:{}", self.credentials(), id.simple())
    }

    /// STRING by which the controller knows that the store has lost nothing.
    pub(crate) fn credentials_mark(&self) -> String {
        format!("{}:mark", self.credentials())
    }

    /// HASH of what an installation is: layout version and number of partitions.
    pub(crate) fn meta(&self) -> String {
        format!("{}:{{meta}}", self.prefix)
    }

    /// What the keys of the language model begin with.
    pub(crate) fn llm(&self) -> String {
        format!("{}:{{llm}}", self.prefix)
    }

    /// Channel of changes that API processes want to hear of.
    pub(crate) fn notices(&self) -> String {
        format!("{}:notices", self.prefix)
    }

    /// Channel that wakes idle workers.
    pub(crate) fn wake(&self) -> String {
        format!("{}:wake", self.prefix)
    }
}

/// A name beside a root that no key has either: see [`crate::script`].
pub(crate) fn never(root: &str) -> String {
    format!("{root}:never")
}

/// Stands for an item in keys and postings: 32 hex digits of SHA-256 over its kind and id.
pub(crate) fn item_digest(key: &ItemKey) -> String {
    let mut hash = Sha256::new();
    hash.update(key.source_type.as_str());
    hash.update([0]);
    hash.update(key.external_id.as_str());
    format!("{:x}", hash.finalize())[..32].to_owned()
}

/// Keys of the credentials, by the name that scripts know them by.
const CREDENTIALS: [&str; 8] = ["all", "record:", "tokens:", "version:", "listed:", "made:", "made_by:", "suspended:"];

/// The names of channels for scripts: what is published is heard at every node, so channels have no slot.
const LUA_CHANNELS: &str = "local BASE = string.match(KEYS[1], '^(.*):{')\n\
    local NOTICES, WAKE = BASE..':notices', BASE..':wake'\n";

/// The table `C` for scripts that work on credentials, from `KEYS[1]`.
pub(crate) fn lua_credentials() -> String {
    let mut lua = format!("{LUA_CHANNELS}local C = {{");
    for name in CREDENTIALS {
        let _ = write!(lua, "{}=KEYS[1]..':{name}',", name.trim_end_matches(':'));
    }
    lua.push_str("}\n");
    lua
}

/// The table `P` (partition, from `KEYS[1]`) and `tenant_keys(name)`, whose names become keys as they are asked for.
pub(crate) fn lua_prelude() -> String {
    let mut lua = format!("{LUA_CHANNELS}local P, NAMES = {{");
    for name in PARTITION {
        let _ = write!(lua, "{name}=KEYS[1]..':{name}',");
    }
    lua.push_str("}, {");
    for name in TENANT {
        let _ = write!(lua, "{}='{name}',", name.trim_end_matches(':'));
    }
    lua.push_str(
        "}\nlocal function tenant_keys(tenant)\n  local root = KEYS[1]..':t:'..tenant..':'\n  \
        return setmetatable({}, {__index = function(keys, name)\n    \
        keys[name] = root..NAMES[name]\n    return keys[name]\n  end})\nend\n",
    );
    lua
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_and_its_partition_share_one_hash_tag() {
        let keys = Keys::new("gleaner", 16);
        let tenant = TenantId::new("team-a").unwrap();
        let root = keys.root(&tenant);
        assert!(keys.tenant(&tenant, "stream").starts_with(&format!("{root}:t:team-a:")));
        assert_eq!(root.matches('{').count(), 1);
    }

    #[test]
    fn a_tenants_partition_never_changes() {
        let keys = Keys::new("gleaner", 16);
        let at = |name: &str| keys.partition_of(&TenantId::new(name).unwrap());
        assert_eq!((at("default"), at("team-a"), at("team-b")), (14, 6, 3));
    }

    #[test]
    fn two_items_never_share_a_digest_by_moving_a_letter() {
        let key = |kind: &str, id: &str| {
            item_digest(&ItemKey { source_type: kind.parse().unwrap(), external_id: id.parse().unwrap() })
        };
        assert_ne!(key("note", "ax"), key("notea", "x"));
        assert_eq!(key("note", "a").len(), 32);
    }
}
