import type { DragEvent } from 'react'

/** MIME type of the dragged id. The type belongs to this product, so that other pages ignore the drag. */
const QUIZ_TYPE = 'application/x-quizaine-quiz'

/** Starts to drag the card of a quiz. */
export const startQuizDrag = (event: DragEvent, quiz_id: string): void => {
  event.dataTransfer.setData(QUIZ_TYPE, quiz_id)
  event.dataTransfer.effectAllowed = 'move'
}

/** Returns true if the dragged object is the card of a quiz. */
export const isQuizDragged = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer.types.includes(QUIZ_TYPE)

/** Returns the id of the dropped quiz. */
export const draggedQuizId = ({ dataTransfer }: DragEvent): string =>
  dataTransfer.getData(QUIZ_TYPE)
