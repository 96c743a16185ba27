internal import AccessModel

extension Answer {
  /// The colour of the word.
  var tone: Style.Tone {
    switch self {
    case .allowed: .good
    case .refused: .bad
    case .undetermined, .absent: .unsure
    }
  }
}

extension Decision {
  /// Whether the walk ended because there is nothing at the path.
  var leadsNowhere: Bool {
    switch rule {
    case .walkNoEntry, .walkNotDirectory, .walkTooManyLinks, .walkNameTooLong: !isGranted
    default: false
    }
  }
}
