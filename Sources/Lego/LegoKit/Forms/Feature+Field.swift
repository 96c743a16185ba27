extension Feature {
  /// The feature of a form field.
  ///
  /// ```swift
  /// let form = Feature(SignUp())
  ///   .part(\.name, .case(SignUp.Change.name), .field { $0.isEmpty ? .missing : nil })
  /// ```
  ///
  /// If there is an asynchronous check, a value without an issue is checked after a pause on the
  /// ``Contractors/clock``. Another value, or the end of the field, cancels the check.
  ///
  /// - Parameters:
  ///   - issue: A pure function that returns the issue of a value, or `nil`.
  ///   - pause: The time without input after which the asynchronous check starts.
  ///   - ask: An asynchronous check, such as a request to a service. The field is not valid before
  ///     it returns, so convert an error into an issue.
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

/// Checks a field that is waiting for its check.
///
/// It follows the design instead of a change, because several changes lead to such a design: a
/// value was entered, the blueprint of the form touched the field, or the design was restored.
final class FieldAdaptor<Value: Equatable & Sendable, Issue: Equatable & Sendable>:
  Adaptor<FieldRules<Value, Issue>>
{
  private let issue: @Sendable (Value) -> Issue?
  private let pause: Duration
  private let ask: (@Sendable (Value) async -> Issue?)?

  init(
    issue: @escaping @Sendable (Value) -> Issue?, pause: Duration,
    ask: (@Sendable (Value) async -> Issue?)?
  ) {
    self.issue = issue
    self.pause = pause
    self.ask = ask
  }

  override var follows: [Follow<FieldRules<Value, Issue>>] {
    [
      Follow(\.question) { [issue, pause, ask] value in
        guard let value else { return .none }
        guard issue(value) == nil, let ask else { return .send(.answer(value, issue(value))) }
        return Effect.run(name: "check of a field") { send in
          send(.answer(value, await ask(value)))
        }.delay(for: pause)
      }
    ]
  }
}

extension Lego {
  /// The value of a form field.
  ///
  /// Writing it enters the new value.
  public func glue<Value, Issue>(
    field keyPath: any KeyPath<B.Design, FormField<Value, Issue>> & Sendable,
    change: @escaping @Sendable (FieldRules<Value, Issue>.Change) -> B.Change
  ) -> Glue<Value> {
    Glue(get: { self.design[keyPath: keyPath].value }, set: { self.build(change(.enter($0))) })
  }
}

extension LegoScope {
  /// The value of a form field in a part.
  ///
  /// Writing it enters the new value.
  public func glue<Value, Issue>(
    field keyPath: any KeyPath<Design, FormField<Value, Issue>> & Sendable,
    change: @escaping @Sendable (FieldRules<Value, Issue>.Change) -> Change
  ) -> Glue<Value> {
    Glue(get: { design[keyPath: keyPath].value }, set: { build(change(.enter($0))) })
  }
}
