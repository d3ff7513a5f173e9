/** A whole number with marks between its thousands: 1272967192 -> "1,272,967,192". */
export const groupDigits = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
