import LegoKit

// Dependencies: a service, one that is made of it, and a view model that has both.

protocol FareSource: Sendable {
  func fare(to stop: Int) async -> Int
}

struct PublishedFares: FareSource {
  func fare(to stop: Int) async -> Int { stop * 3 }
}

enum FareService: Service {
  static let contractor: any FareSource = PublishedFares()
}

struct BookingService: Service {
  #if swift(>=6)
    static let contractor = BookingService()
  #else
    static var contractor = BookingService()
  #endif

  @Contractor(\.fares) private var fares

  func quote(to stop: Int) async -> String {
    let fare = await fares.fare(to: stop)
    return "\(fare) €"
  }
}

extension Contractors {
  var fares: any FareSource {
    get { Self[FareService.self] }
    set { Self[FareService.self] = newValue }
  }

  var booking: BookingService {
    get { Self[BookingService.Value.self] }
    set { Self[BookingService.Value.self] = newValue }
  }
}

struct TripModel: Blueprint {
  struct Design: Equatable {
    var stop: Int = 0
    var quote: String = ""
  }

  enum Change: Equatable {
    case choose(Int)
    case quoted(String)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .choose(let stop): design.stop = stop
    case .quoted(let quote): design.quote = quote
    }
  }

  static func viewModel() -> Lego<TripModel> {
    Lego(.init(), blueprint: TripModel(), adaptors: [TripAdaptor()])
  }
}

final class TripAdaptor: Adaptor<TripModel> {
  @Contractor(\.booking) private var booking

  override func effect(
    _ design: TripModel.Design, on change: TripModel.Change
  ) -> Effect<TripModel.Change> {
    guard case .choose(let stop) = change else { return .none }
    return .run { [booking] send in send(.quoted(await booking.quote(to: stop))) }
  }
}
