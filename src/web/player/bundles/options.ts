import { shuffled } from '#domain/run/shuffle.ts'
import {
  ChoiceHint,
  ClearChoice,
  findBlankOther,
  fullBoxProps,
  isUnchosenOther,
  missingTextError,
  OtherChoice,
} from '#web/player/fields/question-options.tsx'
import { Scale } from '#web/player/fields/scale.tsx'
import { type OptionParts, parts } from '#web/player/parts.ts'

/** Fields with options, for pages whose quiz needs them. */
const OPTIONS: OptionParts = {
  Scale,
  ChoiceHint,
  ClearChoice,
  OtherChoice,
  fullBoxProps,
  findBlankOther,
  isUnchosenOther,
  missingTextError,
  shuffled,
}
Object.assign(parts, OPTIONS)
