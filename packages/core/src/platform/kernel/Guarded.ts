/** A callback that cannot end the process by what it throws. */

/**
 * Returns a callback that passes to `failed` what `run` throws. A listener of a socket, a stream or a parser runs outside of every
 * fiber, where an error that nobody catches ends the process: each one that touches foreign bytes is made by this function.
 */
export const guarded =
  <Given extends ReadonlyArray<unknown>>(
    run: (...given: Given) => void,
    failed: (fault: unknown) => void
  ): ((...given: Given) => void) =>
  (...given) => {
    try {
      run(...given)
    } catch (fault) {
      failed(fault)
    }
  }
