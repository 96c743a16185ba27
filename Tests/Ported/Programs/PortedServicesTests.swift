import Foundation
import LegoKeeping
import LegoKit
import LegoSecrets
import Testing

/// Programs in the shape of Granite's and SimpleArch's manuals.
@Suite(.timeLimit(.minutes(5))) struct `A program ported from Granite` {
  @Test func `sends events to a center`() async {
    await withContractors {
      $0.index = Lego(.init(), blueprint: IndexCenter())
    } operation: {
      let desk = QueryDesk()
      _ = await desk.center.observe(\.isCommandMenuActive).first { $0 }
      desk.query.wrappedValue = "rain"
      #expect(desk.center.design.isEditing)
      desk.onCommit()
      #expect(desk.center.design.query == "newValue" && !desk.center.design.isEditing)
      desk.center.build(.boot(.init(data: [1, 2, 3])))
      #expect(desk.center.design.trail == ["before", "boot with 3", "after boot with 3"])
      await desk.center.build(.ask).finished()
      await desk.center.build(.lookUp).finished()
      #expect(desk.center.design.trail.last?.hasPrefix("found") == true)
    }
  }

  @Test func `shows what relays have, and whether a session is locked`() async {
    await withContractors {
      $0.account = SettingCenter.service("nobody")
      $0.place = SettingCenter.service("lobby")
      $0.session = Lego(.init(), blueprint: SessionCenter())
    } operation: {
      let displays = [LobbyDisplay(), LobbyDisplay()]
      Contractors().account.build(.value("Ada"))
      Contractors().session.build(.unlock(code: "1234"))
      Contractors().session.build(.unlock(code: "0000"))
      for display in displays {
        #expect(await display.lines(until: "Ada in the lobby").last == "Ada in the lobby")
      }
      Contractors().session.build(.lock)
      for display in displays { #expect(await display.lines(until: "locked").last == "locked") }
    }
  }

  @Test func `shares a service that is kept`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ported-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = PreferencesService.make(in: .path(folder.path))
    await withContractors {
      $0.preferences = first
    } operation: {
      let banners = (0..<2).map { _ in
        Lego(.init(), blueprint: Banner(), adaptors: [BannerAdaptor()])
      }
      first.build(.theme("dark"))
      for banner in banners { _ = await banner.observe(\.theme).first { $0 == "dark" } }
    }
    await first.close()
    #expect(PreferencesService.make(in: .path(folder.path)).design.theme == "dark")
  }
}

@Suite struct `A program ported from SimpleArch` {
  @Test func `follows links that have values`() {
    withRouter(TripNavigator(.init(), routing: TripRouting())) {
      let screen = TripScreen()
      #expect(screen.drawn == "Index")
      screen.choose("Show 1")
      #expect(screen.drawn == "Trip 1")
      screen.navigator.route(to: .show(12))
      #expect(screen.drawn == "Log in")
    }
  }

  @Test func `injects services into services and view models`() async {
    struct FixedFares: FareSource {
      func fare(to stop: Int) async -> Int { 1 }
    }
    let model = TripModel.viewModel()
    await model.build(.choose(4)).finished()
    #expect(model.design.quote == "12 €")
    await withContractors {
      $0.fares = FixedFares()
    } operation: {
      let model = TripModel.viewModel()
      await model.build(.choose(4)).finished()
      #expect(model.design.quote == "1 €")
    }
  }

  @Test func `keeps a value where secrets are kept`() async throws {
    let memory = SecretsInMemory()
    try await withContractors {
      $0.secrets = Secrets([.inMemory(memory)])
    } operation: {
      let pocket = TicketPocket()
      let first = Ticket(stop: "harbour", zones: 2)
      let second = Ticket(stop: "station", zones: 1)
      let atFirst = try await pocket.buy(first)
      #expect(atFirst == [nil, first])
      let then = try await pocket.buy(second)
      #expect(then == [first, second])
      #expect(memory.names == ["ticket"])
    }
  }
}
