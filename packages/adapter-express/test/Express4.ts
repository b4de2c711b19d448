/** The version before the present one, whose own types would stand beside those of the present one. */
import { createRequire } from "node:module"
import type express from "express"

export const express4: typeof express = createRequire(import.meta.url)("express4")
