/** Verifies: NODE-10. */
import { AsyncLocalStorage } from "node:async_hooks"
import { setImmediate as nextTurn } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { RequestBatch } from "../src/RequestBatch.ts"

/** A batch whose requests take no time. */
const instantBatch = () => new RequestBatch(() => 0)

describe("requests of one turn of the event loop", () => {
  it("are handled in the order in which they came, and answered in it after the last one was handled", async () => {
    const batch = instantBatch()
    const steps: Array<string> = []
    for (const name of ["a", "b", "c"]) {
      batch.add(() => {
        steps.push(`handled ${name}`)
        batch.answer(() => void steps.push(`answered ${name}`))
      })
    }
    expect(steps).toEqual([])
    await nextTurn()
    expect(steps).toEqual(["handled a", "handled b", "handled c", "answered a", "answered b", "answered c"])
  })

  it("are answered at once where they are ready later", async () => {
    const batch = instantBatch()
    batch.add(() => undefined)
    await nextTurn()
    let isAnswered = false
    batch.answer(() => {
      isAnswered = true
    })
    expect(isAnswered).toBe(true)
  })

  it("do not wait for long for one that is slow", async () => {
    let now = 0
    const batch = new RequestBatch(() => now)
    const steps: Array<string> = []
    const slowly = () => {
      now += 5
    }
    for (const [name, work] of [
      ["a", () => undefined],
      ["slow", slowly],
      ["b", () => undefined]
    ] as const) {
      batch.add(() => {
        work()
        steps.push(`handled ${name}`)
        batch.answer(() => void steps.push(`answered ${name}`))
      })
    }
    await nextTurn()
    expect(steps.indexOf("answered a")).toBeLessThan(steps.indexOf("handled b"))
  })

  it("leave the rest to the next turn where they have taken 20 ms, and keep their order", async () => {
    let now = 0
    const batch = new RequestBatch(() => now)
    const steps: Array<string> = []
    const add = (name: string) =>
      batch.add(() => {
        now += 10
        batch.answer(() => void steps.push(name))
      })
    for (const name of ["a", "b", "c"]) add(name)
    setImmediate(() => add("d"))
    await nextTurn()
    expect(steps).toEqual(["a", "b"])
    await nextTurn()
    expect(steps).toEqual(["a", "b", "c", "d"])
  })

  it("keep the asynchronous context of their host, while they are handled and while they are answered", async () => {
    const batch = instantBatch()
    const context = new AsyncLocalStorage<string>()
    const seen: Array<string | undefined> = []
    for (const name of ["a", "b"]) {
      context.run(name, () =>
        batch.add(() => {
          seen.push(context.getStore())
          batch.answer(() => void seen.push(context.getStore()))
        })
      )
    }
    await nextTurn()
    expect(seen).toEqual(["a", "b", "a", "b"])
  })

  it("are handled and answered beside one that throws, which the process sees as it would see any other", async () => {
    const listeners = process.listeners("uncaughtException")
    process.removeAllListeners("uncaughtException")
    const thrown = new Promise((resolve) => process.once("uncaughtException", resolve))
    try {
      const batch = instantBatch()
      const fault = new Error("of a host")
      batch.add(() => {
        throw fault
      })
      const answered = new Promise<boolean>((resolve) => batch.add(() => batch.answer(() => resolve(true))))
      expect(await answered).toBe(true)
      expect(await thrown).toBe(fault)
    } finally {
      for (const listener of listeners) process.on("uncaughtException", listener)
    }
  })

  it("are answered although only the answer to another one completes them", async () => {
    const batch = instantBatch()
    const steps: Array<string> = []
    batch.add(() =>
      batch.answer(() => {
        steps.push("answered a")
        batch.answer(() => void steps.push("answered b"))
      })
    )
    await nextTurn()
    expect(steps).toEqual(["answered a", "answered b"])
  })

  it("that come while others are handled are the next batch", async () => {
    const batch = instantBatch()
    const steps: Array<string> = []
    batch.add(() => {
      batch.add(() => void steps.push("handled b"))
      batch.answer(() => void steps.push("answered a"))
    })
    await nextTurn()
    await nextTurn()
    expect(steps).toEqual(["answered a", "handled b"])
  })
})
