/** A stage for scenarios of the product's behaviour. */
export { scenarios } from "./Scenario.ts"
export { type Attempt, instant, makeStage, realTraits, Stage, type StageOptions } from "./Stage.ts"
