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

/// Answers a field that waits for its check.
///
/// It follows the design instead of a change, because there are several ways to such a design: a
/// value was entered, the whole's blueprint touched the field, the design was restored.
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
  /// The value of a field of a form; writing enters it.
  ///
  /// - Parameters:
  ///   - keyPath: The field.
  ///   - change: Makes a change of the form of a change of the field.
  /// - Returns: The value, to be read and written by a text field.
  public func glue<Value, Issue>(
    field keyPath: any KeyPath<B.Design, FormField<Value, Issue>> & Sendable,
    change: @escaping @Sendable (FieldRules<Value, Issue>.Change) -> B.Change
  ) -> Glue<Value> {
    Glue(get: { self.design[keyPath: keyPath].value }, set: { self.build(change(.enter($0))) })
  }
}

extension LegoScope {
  /// The value of a field of a form that is a part; writing enters it.
  ///
  /// - Parameters:
  ///   - keyPath: The field.
  ///   - change: Makes a change of the form of a change of the field.
  /// - Returns: The value, to be read and written by a text field.
  public func glue<Value, Issue>(
    field keyPath: any KeyPath<Design, FormField<Value, Issue>> & Sendable,
    change: @escaping @Sendable (FieldRules<Value, Issue>.Change) -> Change
  ) -> Glue<Value> {
    Glue(get: { design[keyPath: keyPath].value }, set: { build(change(.enter($0))) })
  }
}
