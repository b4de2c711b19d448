/** How often an account's readers hear of changes, and how many they hear of at once. Pure. Source: docs/reference/stream.md#pace. */
import { Instant } from "../kernel/index.ts"
import { maxTopics, type Topic } from "./Topic.ts"

/** Between two notes to the readers of an account: no topic stands in more than four of them a second. */
export const noteEveryMs = 250

/** When the readers may hear of a change that was committed at `at`. A clock that was set back delays nothing. */
export const nextNoteAt = (lastAt: Instant.Instant | null, at: Instant.Instant): Instant.Instant =>
  lastAt === null || at < lastAt || at - lastAt >= noteEveryMs ? at : Instant.plus(lastAt, noteEveryMs)

/** Topics that wait for the next note, each once; where they are too many, that everything may have changed. */
export class WaitingTopics {
  #topics = new Set<Topic>()
  #isEverything = false

  get isEmpty(): boolean {
    return this.#topics.size === 0 && !this.#isEverything
  }

  add(topics: Iterable<Topic>): void {
    if (this.#isEverything) return
    for (const topic of topics) this.#topics.add(topic)
    if (this.#topics.size > maxTopics) this.addEverything()
  }

  addEverything(): void {
    this.#topics = new Set()
    this.#isEverything = true
  }

  /** What has waited; null for everything. Nothing waits from then on. */
  take(): ReadonlySet<Topic> | null {
    const taken = this.#isEverything ? null : this.#topics
    this.#topics = new Set()
    this.#isEverything = false
    return taken
  }
}
