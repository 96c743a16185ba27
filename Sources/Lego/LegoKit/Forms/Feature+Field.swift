extension Feature {
  /// Returns the feature for a form field.
  ///
  /// ```swift
  /// let form = Feature(SignUp())
  ///   .part(\.name, .case(SignUp.Change.name), .field { $0.isEmpty ? .missing : nil })
  /// ```
  ///
  /// The asynchronous check starts after a pause, measured by the ``Contractors/clock``, unless
  /// `issue` returns an issue. A new value, or the removal of the field, cancels the check.
  ///
  /// - Parameters:
  ///   - issue: Returns the issue with a value, or `nil` if there is none. The closure must be
  ///     pure.
  ///   - pause: The time without input before the asynchronous check starts.
  ///   - ask: Checks a value asynchronously, for example with a service, and returns its issue. The
  ///     field is not valid until this closure returns, so convert errors into issues.
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

/// Runs the check that a field is waiting for.
///
/// The adaptor follows the design rather than reacting to changes, because several events can make
/// a field wait: the user enters a value, the form's blueprint touches the field, or the design is
/// restored.
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
  /// Returns a `Glue` for the value of a form field.
  ///
  /// Writing a value enters it into the field.
  public func glue<Value, Issue>(
    field keyPath: any KeyPath<B.Design, FormField<Value, Issue>> & Sendable,
    change: @escaping @Sendable (FieldRules<Value, Issue>.Change) -> B.Change
  ) -> Glue<Value> {
    Glue(get: { self.design[keyPath: keyPath].value }, set: { self.build(change(.enter($0))) })
  }
}

extension LegoScope {
  /// Returns a `Glue` for the value of a form field in the part.
  ///
  /// Writing a value enters it into the field.
  public func glue<Value, Issue>(
    field keyPath: any KeyPath<Design, FormField<Value, Issue>> & Sendable,
    change: @escaping @Sendable (FieldRules<Value, Issue>.Change) -> Change
  ) -> Glue<Value> {
    Glue(get: { design[keyPath: keyPath].value }, set: { build(change(.enter($0))) })
  }
}
