/** Reads a file into where its rows are staged, part by part. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { PhoneNumber } from "../../platform/numbers/index.ts"
import type { CsvRefused, MappingRefused } from "../../platform/overview/index.ts"
import type { StorageError } from "../../platform/storage/index.ts"
import * as CsvReader from "./CsvReader.ts"
import type { RowGathering } from "./RowGathering.ts"

/** Parts that wait to be staged while the file is read on. */
const partsAhead = 2

/** Reads on while a part is staged. */
export const stageFile = <F extends string, Row extends { readonly matchKey: PhoneNumber.MatchKey }, Item>(
  file: Stream.Stream<Uint8Array>,
  gathering: RowGathering<F, Row, Item>,
  stage: (items: ReadonlyArray<Item>) => Effect.Effect<void, StorageError>
): Effect.Effect<void, CsvRefused | MappingRefused | StorageError> =>
  CsvReader.read(file).pipe(
    Stream.mapEffect((records) => Effect.fromResult(gathering.add(records))),
    Stream.concat(Stream.sync(() => gathering.rest())),
    Stream.filter((items) => items.length > 0),
    Stream.buffer({ capacity: partsAhead }),
    Stream.runForEach(stage)
  )
