import Dispatch
import LegoPublishers

// Searches while the user types: waits for a pause, and shows the answer to the last question only.

enum SearchError: Error {
  case offline
}

@MainActor final class SearchModel {
  let query = CurrentValueSubject<String, Never>("")
  private(set) var results: [String] = []
  private(set) var searches = 0
  private var cancellables = Set<AnyCancellable>()

  init(
    pause: DispatchQueue.SchedulerTimeType.Stride = 0.3,
    search: @escaping @Sendable (String) -> AnyPublisher<[String], SearchError>
  ) {
    let found =
      query
      .debounce(for: pause, scheduler: DispatchQueue.main)
      .removeDuplicates()
      .filter { !$0.isEmpty }
      .map { text in
        search(text)
          .retry(1)
          .catch { _ in Just(["no connection"]) }
      }
      .switchToLatest()
      .receive(on: DispatchQueue.main)
    #if swift(>=6)
      found
        .sink { @MainActor [weak self] found in
          self?.results = found
          self?.searches += 1
        }
        .store(in: &cancellables)
    #else
      found
        .sink { [weak self] found in
          self?.results = found
          self?.searches += 1
        }
        .store(in: &cancellables)
    #endif
  }
}
