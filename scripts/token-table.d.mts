export function tokenTable(): Buffer
