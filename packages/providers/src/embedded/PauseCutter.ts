/** Where a long recording may be cut, and which parts of it are speech, by the likelihood of speech in each frame. */

/** Frames of 512 samples: 32 ms. */
export const frameSamples = 512

/** Below: a pause. */
const pauseBelow = 0.35
/** Nothing as likely as this: nobody speaks. Low, since a quiet speaker who is not heard at all is worse than a wasted run. */
const speechFrom = 0.3
/** Kept around speech, since its beginning and end are quiet: half a second. */
const margin = 16

/**
 * The frame in which to cut between frames `from` and `to`: the middle of the longest pause, of two the later; without
 * any pause the frame that is least like speech.
 */
export const cutFrame = (likelihoods: ArrayLike<number>, from: number, to: number): number => {
  let longest = { start: from, length: 0 }
  let least = from
  for (let frame = from, length = 0; frame < to; frame++) {
    const likelihood = likelihoods[frame] ?? 0
    if (likelihood <= (likelihoods[least] ?? 0)) least = frame
    length = likelihood < pauseBelow ? length + 1 : 0
    if (length > 0 && length >= longest.length) longest = { start: frame - length + 1, length }
  }
  return longest.length === 0 ? least : longest.start + Math.floor(longest.length / 2)
}

/** First and last frame between which somebody speaks, with room around it; null where nobody does. */
export const speechSpan = (
  likelihoods: ArrayLike<number>,
  frames: number
): { readonly from: number; readonly to: number } | null => {
  let [first, last] = [-1, -1]
  for (let frame = 0; frame < frames; frame++) {
    if ((likelihoods[frame] ?? 0) < speechFrom) continue
    if (first < 0) first = frame
    last = frame
  }
  return first < 0 ? null : { from: Math.max(0, first - margin), to: Math.min(frames, last + 1 + margin) }
}
