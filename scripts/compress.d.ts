/** Writes the .br and .gz twins of a folder's text files, which the server sends to browsers that take them. */
export declare const compressFolder: (folder: string) => void
