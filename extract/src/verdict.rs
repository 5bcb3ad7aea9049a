//! The verdict on a task as a whole: is what was gathered really one?

use crate::cue::{Cue, join};
use crate::feature::{Scene, bits, fold, place::Whole};
use crate::link::pair::Candidate;
use crate::score::{coarse, step};

/// Emits the features of a gathered task, given its candidates in order, into `out`.
pub fn features(scene: &Scene<'_>, members: &[Candidate], whole: &Whole, out: &mut Vec<u32>) {
    let mut put = |kind: u64, value: u64| out.push(fold(join(join(41, kind), value)));
    let Some(best) = members.iter().max_by(|one, other| one.logit.total_cmp(&other.logit)) else { return };
    let others = members.iter().filter(|member| member.sentence != best.sentence);
    let second = others.map(|member| member.logit).fold(-9.0_f32, f32::max);
    let size = members.len().min(4) as u64;
    let seen = &scene.seen[best.sentence];
    let sentence = &scene.sentences[best.sentence];
    let top = (best.logit * 4.0).clamp(-16.0, 16.0) as i64 as u64;
    put(0, top);
    put(1, step(best.logit));
    put(2, join(coarse(best.logit), coarse(second)));
    put(3, join(coarse(best.logit), size));
    put(4, size);
    put(5, join(coarse(best.logit), sentence.line as u64));
    put(6, join(coarse(best.logit), whole.source));
    put(7, join(coarse(best.logit), u64::from(seen.words.min(14))));
    put(8, join(coarse(best.logit), u64::from(seen.names)));
    put(9, join(coarse(best.logit), u64::from(seen.question)));
    let all = members.iter().fold(0, |cues, member| cues | scene.seen[member.sentence].cues);
    for cue in bits(all) {
        put(10, join(cue, u64::from(members.len() > 1)));
    }
    for cue in bits(seen.cues) {
        put(11, join(cue, coarse(best.logit)));
    }
    let last = members.last().map_or(best.sentence, |member| member.sentence);
    if let Some(after) = scene.seen.get(last + 1) {
        let same = u64::from(scene.sentences[last + 1].speaker == scene.sentences[last].speaker);
        for cue in bits(after.head) {
            put(12, join(cue, same));
        }
    }
    put(13, u64::from(Cue::Date.of(all)));
}
