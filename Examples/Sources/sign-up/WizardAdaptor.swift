import LegoKit

/// Makes the account that was submitted.
final class WizardAdaptor: Adaptor<WizardBlueprint> {
  override var follows: [Follow<WizardBlueprint>] {
    [
      Follow(\.submission.request) { account in
        guard let account else { return .none }
        return .run { send in send(.finish(await Contractors().accounts.create(account))) }
      }
    ]
  }
}
