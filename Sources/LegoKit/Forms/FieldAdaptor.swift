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
