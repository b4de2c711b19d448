/** What the installation decides about the page, and the files that it is made of. */
import * as Context from "effect/Context"
import type { Brand, PageTheme } from "../../platform/brand/index.ts"
import type { PageChoices } from "./DataBlock.ts"
import type { PageFiles } from "./PageFile.ts"

export interface DashboardParts {
  readonly files: PageFiles
  readonly brand: Brand
  readonly choices: PageChoices
  readonly theme: PageTheme
  readonly icon: string | null
  readonly frameAncestors: ReadonlyArray<string>
}

/** Null where no dashboard is served. */
export class DashboardPage extends Context.Service<DashboardPage, DashboardParts | null>()(
  "@trunkline/core/dashboard/pages/DashboardPage"
) {}
