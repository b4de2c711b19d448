/** Those who wait for the disk share its turns: docs/reference/storage.md#seam. */
import type pg from "pg"
import { assert, describe, it } from "vitest"
import { DurableCommit } from "../src/DurableCommit.ts"

/** A pool whose statements end when the test says so. */
class FakePool {
  readonly #waiting: Array<{ readonly resolve: () => void; readonly reject: (error: Error) => void }> = []
  released: Array<Error | undefined> = []

  get pool(): pg.Pool {
    const client = {
      query: () => new Promise<void>((resolve, reject) => void this.#waiting.push({ resolve, reject })),
      on: () => undefined,
      removeListener: () => undefined,
      release: (error?: Error) => void this.released.push(error)
    }
    return { connect: async () => client } as unknown as pg.Pool
  }

  get running(): number {
    return this.#waiting.length
  }

  async end(error?: Error): Promise<void> {
    const first = this.#waiting.shift()!
    if (error === undefined) first.resolve()
    else first.reject(error)
    await settled()
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe("a commit that covers what was committed before it", () => {
  it("is one for all who ask while another runs, because that one may have begun too early for them", async () => {
    const fake = new FakePool()
    const commits = new DurableCommit(fake.pool)
    const done: Array<string> = []
    const wait = (name: string) => void commits.wait().then(() => done.push(name))
    wait("first")
    await settled()
    for (const name of ["second", "third"]) wait(name)
    await settled()
    assert.strictEqual(fake.running, 1)
    await fake.end()
    assert.deepStrictEqual([done, fake.running], [["first"], 1])
    await fake.end()
    assert.deepStrictEqual([done, fake.running], [["first", "second", "third"], 0])
  })

  it("that fails is an error for those who waited for it, and not for the next", async () => {
    const fake = new FakePool()
    const commits = new DurableCommit(fake.pool)
    const lost = new Error("connection terminated")
    const first = commits.wait().catch((error: unknown) => error)
    const second = commits.wait()
    await settled()
    await fake.end(lost)
    assert.strictEqual(await first, lost)
    await fake.end()
    await second
    assert.deepStrictEqual(fake.released, [lost, undefined])
  })
})
