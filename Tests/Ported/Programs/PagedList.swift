import LegoPublishers

// A list that loads one page after another, each when the end of the one before is shown.

struct Page: Equatable, Sendable {
  var items: [String]
  var next: Int?
}

final class PagedList {
  let items = CurrentValueSubject<[String], Never>([])
  let isLoading = CurrentValueSubject<Bool, Never>(false)
  private let wanted = PassthroughSubject<Int, Never>()
  private let next = CurrentValueSubject<Int?, Never>(0)
  private var cancellable: AnyCancellable?

  init(load: @escaping @Sendable (Int) -> Future<Page, Error>) {
    cancellable =
      wanted
      .handleEvents(receiveOutput: { [isLoading] _ in isLoading.send(true) })
      .flatMap(maxPublishers: .max(1)) { number in
        load(number)
          .map(Optional.some)
          .replaceError(with: nil)
      }
      .compactMap { $0 }
      .sink { [items, isLoading, next] page in
        items.value += page.items
        next.send(page.next)
        isLoading.send(false)
      }
  }

  func loadMore() {
    guard !isLoading.value, let number = next.value else { return }
    next.send(nil)
    wanted.send(number)
  }
}
