/** `true` where two types are the same, `any` and `unknown` told apart; else `false`. */
export type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
