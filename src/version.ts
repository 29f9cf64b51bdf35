/** Name and version of the package; a test compares them with package.json. */
export const NAME = 'touchstone'
export const VERSION = '0.1.0'
