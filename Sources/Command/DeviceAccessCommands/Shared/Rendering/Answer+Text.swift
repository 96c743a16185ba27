internal import AccessModel

extension Answer {
  /// The tone of the answer's word.
  var tone: Style.Tone {
    switch self {
    case .allowed: .good
    case .refused: .bad
    case .undetermined, .absent: .unsure
    }
  }
}

extension Decision {
  /// A Boolean value that indicates whether the lookup ended because the path does not exist.
  var leadsNowhere: Bool {
    switch rule {
    case .walkNoEntry, .walkNotDirectory, .walkTooManyLinks, .walkNameTooLong: !isGranted
    default: false
    }
  }
}
