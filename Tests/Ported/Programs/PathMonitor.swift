import LegoPublishers

// Publishes whether the network can be reached, and since when it is slow.

enum PathStatus: Equatable, Sendable {
  case satisfied
  case unsatisfied
  case requiresConnection
}

final class PathMonitor {
  private let statusSubject = CurrentValueSubject<PathStatus, Never>(.requiresConnection)
  private var cancellables = Set<AnyCancellable>()
  private let log = CurrentValueSubject<[String], Never>([])

  var status: PathStatus { statusSubject.value }
  var entries: [String] { log.value }

  var isOnline: AnyPublisher<Bool, Never> {
    statusSubject
      .map { $0 == .satisfied }
      .removeDuplicates()
      .eraseToAnyPublisher()
  }

  init() {
    isOnline
      .dropFirst()
      .sink { [log] online in log.value.append(online ? "online" : "offline") }
      .store(in: &cancellables)
  }

  /// What the system calls when a path changes.
  func pathUpdated(to status: PathStatus) {
    statusSubject.send(status)
  }

  func stop() {
    statusSubject.send(completion: .finished)
    cancellables.removeAll()
  }
}
