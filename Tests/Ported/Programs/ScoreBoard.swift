import LegoPublishers

// An object on the main actor that shows what a publisher sends.

@MainActor final class ScoreBoard {
  private(set) var score = 0
  var label = ""
  private var cancellables = Set<AnyCancellable>()

  init(_ scores: PassthroughSubject<Int, Never>) {
    // The compiler warns in Swift 6, where the page recommends to name the actor.
    scores
      .sink { [weak self] in self?.score = $0 }
      .store(in: &cancellables)
    scores
      .map { "\($0) points" }
      .assign(to: \.label, on: self)
      .store(in: &cancellables)
  }
}
