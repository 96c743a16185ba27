internal import AccessModel
internal import LegoKit

/// Provides the facts for the details of a row from a recording.
final class RecordedAdaptor: Adaptor<TopBlueprint> {
  private let recorded: [AccessFacts]

  init(_ recorded: [AccessFacts]) {
    self.recorded = recorded
  }

  override var follows: [Follow<TopBlueprint>] {
    let recorded = recorded
    return [
      Follow(\.detailQuestion) { question in
        guard let question else { return .none }
        return .run { send in
          guard let facts = recorded.lazy.compactMap({ $0.asking(question) }).first else { return }
          send(.observed(question, facts))
        }
      }
    ]
  }
}

extension AccessFacts {
  /// The question that a recording answers.
  var recordedQuestion: Question {
    if let kind = kind.flatMap(DeviceKind.named) {
      return Question(.kind(kind), wanted: access.request.permissions)
    }
    return Question(.path(access.request.path), wanted: access.request.permissions)
  }

  /// Returns the facts with the given question; `nil` if they do not cover its target.
  fileprivate func asking(_ question: Question) -> AccessFacts? {
    if question == recordedQuestion { return self }
    guard case .path(let path) = question.target, devices.contains(where: { $0.node == path })
    else { return nil }
    var own = self
    own.kind = nil
    own.access.request = access.request.at(path)
    return own
  }
}
