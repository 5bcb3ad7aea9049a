use crate::world::*;
use gleaner_model::TokenId;
use gleaner_store::{AcceptOutcome, RateLimit, Store};

const LIMIT: RateLimit = RateLimit { per_minute: 1, burst: 3 };

#[tokio::test]
async fn a_burst_passes_and_what_follows_waits() {
    let store = store().await;
    let mut left = Vec::new();
    for id in ["1", "2", "3"] {
        let mut admission = admission("a", id, "text");
        admission.rate = LIMIT;
        let admitted = store.accept(&admission).await.unwrap();
        queued(admitted.outcome);
        left.push(admitted.rate.unwrap().remaining);
    }
    assert_eq!(left, [2, 1, 0]);
    let mut fourth = admission("a", "4", "text");
    fourth.rate = LIMIT;
    let refused = store.accept(&fourth).await.unwrap();
    let AcceptOutcome::RateLimited { retry_after_s } = refused.outcome else { panic!("{:?}", refused.outcome) };
    assert!((1..=60).contains(&retry_after_s), "{retry_after_s}");
    let state = refused.rate.unwrap();
    assert_eq!((state.remaining, state.retry_after_s), (0, retry_after_s));
    assert!(state.reset_s <= LIMIT.window_s());
    assert_eq!(store.job(&fourth.tenant, fourth.job_id).await.unwrap(), None);

    fourth.token_id = TokenId::new("another").unwrap();
    queued(store.accept(&fourth).await.unwrap().outcome);
}

#[tokio::test]
async fn a_limit_of_zero_is_none() {
    let store = store().await;
    for rate in [RateLimit { per_minute: 0, burst: 3 }, RateLimit { per_minute: 3, burst: 0 }] {
        for _ in 0..5 {
            let mut admission = admission("a", "1", "text");
            admission.rate = rate;
            assert_eq!(store.accept(&admission).await.unwrap().rate, None);
        }
        let token = TokenId::new("token").unwrap();
        assert_eq!(store.charge_submission(&tenant("a"), &token, rate, RateLimit::OFF).await.unwrap(), None);
    }
}

#[tokio::test]
async fn all_processes_share_a_tokens_rate_and_refused_requests_count() {
    let config = config();
    let (one, two) = (Store::connect(&config).await.unwrap(), Store::connect(&config).await.unwrap());
    let token = TokenId::new("token").unwrap();
    let charge = async |store: &Store| {
        store.charge_submission(&tenant("a"), &token, LIMIT, RateLimit::OFF).await.unwrap().unwrap()
    };
    assert_eq!(charge(&one).await.remaining, 2);
    assert_eq!(charge(&two).await.remaining, 1);
    assert_eq!(charge(&one).await.retry_after_s, 0);
    assert!(charge(&two).await.retry_after_s > 0);
}

#[tokio::test]
async fn a_repeated_call_is_charged_once() {
    let store = store().await;
    let mut admission = admission("a", "1", "text");
    admission.rate = LIMIT;
    store.accept(&admission).await.unwrap();
    store.accept(&admission).await.unwrap();
    let token = TokenId::new("token").unwrap();
    assert_eq!(
        store.charge_submission(&tenant("a"), &token, LIMIT, RateLimit::OFF).await.unwrap().unwrap().remaining,
        1
    );
}
