import { PAGE_FIELDS } from '#domain/questionnaire/fields/page-fields.ts'
import type { Palette } from '#domain/questionnaire/look/colors.ts'
import { overlayOpacity } from '#domain/questionnaire/look/overlay.ts'
import type { QuizPage } from '#domain/questionnaire/quiz.ts'
import { pageFieldId } from '#web/editor/fields/field-ids.ts'
import { Select } from '#web/ui/form/select.tsx'
import { ImageField } from '#web/ui/images/image-field.tsx'

const optionsOf = <Value extends string>(field: {
  values: readonly Value[]
  names: Record<Value, string>
}): { value: Value; label: string }[] =>
  field.values.map((value) => ({ value, label: field.names[value] }))

/** Design options other than colours. */
export type Look = Pick<QuizPage, 'font' | 'corners' | 'logo_image_id' | 'background_image_id'>

/** Edits font, corners, logo and background of a quiz; each change is one undo step. */
export const LookFields = ({
  look: { font, corners, logo_image_id, background_image_id },
  palette,
  onChange,
}: {
  look: Look
  /** Colours as visitors see them. */
  palette: Palette
  onChange: (look: Partial<Look>) => void
}) => (
  <>
    <Select
      id={pageFieldId('font')}
      label={PAGE_FIELDS.font.label}
      value={font}
      options={optionsOf(PAGE_FIELDS.font)}
      onChange={(value) => onChange({ font: value })}
    />
    <Select
      id={pageFieldId('corners')}
      label={PAGE_FIELDS.corners.label}
      value={corners}
      options={optionsOf(PAGE_FIELDS.corners)}
      onChange={(value) => onChange({ corners: value })}
    />
    <ImageField
      id={pageFieldId('logo_image_id')}
      label="Logo"
      image_id={logo_image_id}
      image_alt=""
      decorative_only
      onChange={({ image_id }) => onChange({ logo_image_id: image_id })}
    />
    <div className="flex flex-col gap-1">
      <ImageField
        id={pageFieldId('background_image_id')}
        label="Image de fond"
        image_id={background_image_id}
        image_alt=""
        decorative_only
        onChange={({ image_id }) => onChange({ background_image_id: image_id })}
      />
      {background_image_id && <OverlayOpacityLine palette={palette} />}
    </div>
  </>
)

/** Shows the contrast of text over the background picture. */
const OverlayOpacityLine = ({ palette: { bg_color, text_color } }: { palette: Palette }) => {
  const share = overlayOpacity(bg_color, text_color)
  return share < 1 ? (
    <p className="text-sm text-ink-3">
      {`Texte sur l’image : lisible, sous un voile de la couleur du fond à ${Math.round(share * 100)} %`}
    </p>
  ) : (
    <p className="text-sm text-warn">
      Le texte est peu lisible sur le fond : le voile couvre toute l’image
    </p>
  )
}
