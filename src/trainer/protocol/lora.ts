/** Of LoRA runs. ASSUMED: the API has no field for them; these are what small models learn well with. */
export const DEFAULT_LORA = { rank: 8, alpha: 16 } as const;
