import { shuffled } from '#domain/run/shuffle.ts'
import { normalizeDecimals } from '#web/player/fields/decimals.ts'
import {
  ChoiceHint,
  ClearChoice,
  findBlankOther,
  fullBoxProps,
  missingTextError,
  OtherChoice,
} from '#web/player/fields/question-options.tsx'
import { Scale } from '#web/player/fields/scale.tsx'
import { type OptionParts, parts } from '#web/player/parts.ts'

/** Fields with options and numbers, for pages whose quiz needs them. */
const OPTIONS: OptionParts = {
  Scale,
  ChoiceHint,
  ClearChoice,
  OtherChoice,
  fullBoxProps,
  findBlankOther,
  missingTextError,
  normalizeDecimals,
  shuffled,
}
Object.assign(parts, OPTIONS)
