/** An error whose reason is one kind of a union. The message is for the log; the text shown to the user is chosen by the reason. */
export abstract class ReasonError<Reason extends { readonly kind: string }> extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
