import { Checkbox } from '#web/ui/checkbox.tsx'
import { useSingleKeysChoice } from '#web/ui/single-keys.ts'
import { Section } from './section.tsx'

/** Switches the single-key shortcuts off, which speech input triggers by accident. */
export const KeyboardSection = () => {
  const { areOn, choose } = useSingleKeysChoice()
  return (
    <Section title="Clavier">
      <Checkbox
        label="Raccourcis d’une seule touche ( ? N / )"
        checked={areOn}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </Section>
  )
}
