import { ImagePlus, Trash2 } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { LIMITS } from '#domain/common/vocabulary.ts'
import { IMAGE_TYPES, imageAddress } from '#domain/questionnaire/images.ts'
import type { ImageFields } from '#domain/questionnaire/quiz.ts'
import { uploadImage } from '#web/api/files.ts'
import { Button } from '#web/ui/button.tsx'
import { announceToScreenReader } from '#web/ui/feedback/announcer.tsx'
import { Checkbox } from '#web/ui/form/choice-controls.tsx'
import { TextField } from '#web/ui/form/text-field.tsx'
import { UploadProgress, useUpload } from './use-upload.tsx'

/** Props of the field of a picture. */
export type ImageFieldProps = ImageFields & {
  label: string
  /** Id of the whole field. */
  id?: string
  onChange: (pictured: ImageFields) => void
  /** True for pictures without a description, for example a background. */
  decorative_only?: boolean
  /** True for a picture that the text next to it describes, so that a description is optional. */
  is_described_by_text?: boolean
  /** Id of the field of the description. */
  alt_id?: string
  /** True if the creator has just opened the field, so that its button gets the focus. */
  takes_focus?: boolean
}

const ONLY_FIRST_FRAME = 'Ce fichier est animé : seule sa première image est gardée.'

/** Renders the loaded field of a picture. */
export default function ImagePicker({
  label,
  id,
  image_id,
  image_alt,
  onChange,
  decorative_only = false,
  is_described_by_text = false,
  alt_id: given_alt_id,
  takes_focus = false,
}: ImageFieldProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [isOver, setIsOver] = useState(false)
  const error_id = useId()
  const own_alt_id = useId()
  const alt_id = given_alt_id ?? own_alt_id
  const field = useRef<HTMLFieldSetElement>(null)
  /** Id of the picture if its file was an animation, of which only the first frame is kept; otherwise null. */
  const [still_id, setStillId] = useState<string | null>(null)
  const { share, error, upload, cancel } = useUpload(uploadImage, ({ id, is_animated }) => {
    // A new picture does not keep the old description.
    flushSync(() => onChange({ image_id: id, image_alt: image_alt === '' ? '' : null }))
    setStillId(is_animated ? id : null)
    announceToScreenReader(`${label} : image ajoutée${is_animated ? `. ${ONLY_FIRST_FRAME}` : ''}`)
    // A creator who has gone on to another field during the upload stays there.
    const { activeElement } = document
    if (activeElement === document.body || field.current?.contains(activeElement))
      document.getElementById(alt_id)?.focus()
  })
  const isSending = share !== undefined

  const take = (files: FileList): boolean => {
    const file = files[0]
    if (!file) return false
    upload(file)
    return true
  }
  const onPaste = (event: ClipboardEvent): void => {
    if (take(event.clipboardData.files)) event.preventDefault()
  }
  const onDrop = (event: DragEvent): void => {
    setIsOver(false)
    if (take(event.dataTransfer.files)) event.preventDefault()
  }
  const onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setIsOver(true)
  }
  const remove = (): void => {
    onChange({ image_id: null, image_alt: null })
    announceToScreenReader(`${label} : image retirée`)
    button.current?.focus()
  }

  return (
    <fieldset
      ref={field}
      id={id}
      tabIndex={id ? -1 : undefined}
      aria-label={label}
      onPaste={onPaste}
      onDrop={onDrop}
      onDragOver={onDragOver}
      onDragLeave={() => setIsOver(false)}
      className={`flex flex-wrap items-start gap-3 rounded-lg border border-dashed p-3 ${isOver ? 'border-brand bg-brand-wash' : 'border-field'}`}
    >
      {/* A decorative picture has no other visible name. */}
      {decorative_only && (
        <span aria-hidden="true" className="w-full text-sm font-medium">
          {label}
        </span>
      )}
      {/* The picture and its description have their place from the start, so that nothing moves when the file arrives. */}
      {isSending && (
        <div className="flex size-28 flex-col justify-center">
          <UploadProgress share={share} sending="Envoi de l’image" then="Préparation de l’image…" />
        </div>
      )}
      {image_id && !isSending && (
        <img
          src={imageAddress(image_id, 400)}
          alt={image_alt || 'Aperçu de l’image'}
          className="size-28 rounded-md object-contain"
        />
      )}
      <div className="flex min-w-0 flex-1 basis-48 flex-col gap-2">
        <div className="flex flex-wrap items-center gap-2 max-sm:flex-col max-sm:items-start">
          <Button
            ref={button}
            autoFocus={takes_focus}
            icon={<ImagePlus aria-hidden="true" />}
            disabled={isSending}
            aria-describedby={error ? error_id : undefined}
            onClick={() => chooser.current?.click()}
          >
            {image_id ? 'Remplacer l’image' : 'Choisir une image'}
          </Button>
          {image_id && !isSending && (
            <Button variant="ghost" icon={<Trash2 aria-hidden="true" />} onClick={remove}>
              Retirer l’image
            </Button>
          )}
          {isSending && (
            <Button variant="ghost" onClick={cancel}>
              Annuler
            </Button>
          )}
        </div>
        <input
          ref={chooser}
          type="file"
          hidden
          accept={IMAGE_TYPES.join()}
          aria-label={label}
          onChange={({ currentTarget }) => {
            if (currentTarget.files) take(currentTarget.files)
            // Allows choosing the same file again.
            currentTarget.value = ''
          }}
        />
        {image_id && image_id === still_id && !isSending && (
          <p className="text-sm text-ink-2">{ONLY_FIRST_FRAME}</p>
        )}
        {error && (
          <p id={error_id} role="alert" className="text-sm text-bad">
            {error}
          </p>
        )}
        {!image_id && !isSending && (
          <p className="text-xs text-ink-3">
            <span className="pointer-coarse:hidden">Ou déposez-la ici, ou collez-la. </span>
            JPEG, PNG, WebP, AVIF ou GIF, 10 Mo au plus.
          </p>
        )}
        {(image_id || isSending) && !decorative_only && (
          <Description
            id={alt_id}
            image_id={image_id}
            image_alt={image_alt}
            is_optional={is_described_by_text}
            onChange={(alt) => onChange({ image_id, image_alt: alt })}
          />
        )}
      </div>
    </fieldset>
  )
}

/** Renders the field of the description; the checkbox marks the picture as decorative. */
const Description = ({
  id,
  image_id,
  image_alt,
  is_optional,
  onChange,
}: ImageFields & {
  id: string
  /** True if the text next to the picture describes it, so that there is no checkbox. */
  is_optional: boolean
  onChange: (image_alt: string | null) => void
}) => {
  const isDecorative = image_alt === '' && !is_optional
  return (
    <>
      <TextField
        id={id}
        label="Description de l’image"
        hint={
          is_optional
            ? 'Facultative : le texte de la réponse décrit déjà l’image.'
            : 'Lue par les lecteurs d’écran, et montrée si l’image n’arrive pas.'
        }
        value={image_alt ?? ''}
        maxLength={LIMITS.image_alt}
        disabled={isDecorative || !image_id}
        onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
      />
      {!is_optional && (
        <Checkbox
          label="Image décorative"
          checked={isDecorative}
          disabled={!image_id}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? '' : null)}
        />
      )}
    </>
  )
}
