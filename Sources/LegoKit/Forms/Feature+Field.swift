extension Feature {
  /// A field of a form, ready to be plugged in.
  ///
  /// ```swift
  /// let form = Feature(SignUp())
  ///   .part(\.name, .case(SignUp.Change.name, \.name), .field { $0.isEmpty ? .missing : nil })
  /// ```
  ///
  /// A value without an issue is asked about after a pause of the ``Contractors/clock``, if there
  /// is an asynchronous check. Another value, or the end of the field, cancels the question.
  ///
  /// - Parameters:
  ///   - issue: What is wrong with a value; a pure function.
  ///   - pause: How long nothing must be entered before the asynchronous check is asked.
  ///   - ask: What else is wrong with a value, such as a question to a service. The field is not
  ///     valid before this answers, so turn an error into an issue.
  /// - Returns: The feature.
  public static func field<Value, Issue>(
    issue: @escaping @Sendable (Value) -> Issue? = { _ in nil },
    after pause: Duration = .milliseconds(300),
    ask: (@Sendable (Value) async -> Issue?)? = nil
  ) -> Feature where B == FieldRules<Value, Issue> {
    Feature(
      FieldRules(issue: issue, isAsked: ask != nil),
      adaptors: [FieldAdaptor(issue: issue, pause: pause, ask: ask)])
  }
}
