/** Providers are made by the function of their kind alone: docs/reference/embedding.md#making. Verifies: HOST-3. */
import type { TrunklineOptions } from "@trunkline/core"
import { Carrier, telephonyProvider, upstreamProvider } from "@trunkline/core/provider"
import {
  type BudgetStore,
  type MetricsStore,
  type StorageError,
  type SuppressionStore,
  storageProvider
} from "@trunkline/core/storage"
import type { StorageLayer, Stores } from "@trunkline/core/testing"
import { layer } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import { FakeSpeech } from "@trunkline/testing/inference"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { layerOf, upstreamOf } from "../../src/host/index.ts"

const carrier = layerFakeCarrier(new FakeNetwork())

describe("a provider", () => {
  it("is made of a layer of its own kind, and no object literal is one", () => {
    // @ts-expect-error: a carrier is no storage.
    storageProvider(carrier)
    // @ts-expect-error: nothing has checked what the layer provides.
    const literal: TrunklineOptions["telephony"] = { kind: "telephony", layer: carrier }
    const made: TrunklineOptions["telephony"] = telephonyProvider(carrier)
    expect(made).toEqual(literal)
  })

  it("of a storage lacks no store of any room", () => {
    const whole = layer({ path: ":memory:" }) as StorageLayer
    storageProvider(whole)
    // @ts-expect-error: a store of calling is missing.
    storageProvider(whole as Layer.Layer<Exclude<Stores, SuppressionStore>, StorageError>)
    // @ts-expect-error: a store of the platform is missing.
    storageProvider(whole as Layer.Layer<Exclude<Stores, BudgetStore>, StorageError>)
    // @ts-expect-error: the store of the host is missing.
    storageProvider(whole as Layer.Layer<Exclude<Stores, MetricsStore>, StorageError>)
    expect(Layer.isLayer(whole)).toBe(true)
  })

  it("carries what it was made of", async () => {
    const context = await Effect.runPromise(Effect.scoped(Layer.build(telephonyProvider(carrier).layer)))
    expect(Context.get(context, Carrier).traits.name).not.toBe("")
    expect(layerOf(telephonyProvider(carrier))).toBe(carrier)
    const make = new FakeSpeech().provider.make as Parameters<typeof upstreamProvider>[0]
    expect(upstreamOf(upstreamProvider(make), "first").name).toBe("first")
  })
})
