import Foundation
import LegoEndpoints
import LegoKit
import Testing

/// A request in the words of this library: a target, with its path, its query and its answer.
private struct FindStops: Endpoint {
  typealias Answer = [String]
  var name: String
  var path: EndpointPath { "/stops" }
  var query: QueryItems { ["name": name] }
}

@Suite struct `SimpleArch's names of the network` {
  // Row of FromSimpleArch: requests over `URLSession`, as Moya describes them
  @Test func `a request is a value that a client sends`() async throws {
    let stubs = EndpointStubs()
    stubs.on(FindStops.self) { .answer(["\($0.name) north", "\($0.name) south"]) }
    let endpoints: Endpoints = Endpoints(stubs: stubs)
    #expect(try await endpoints.answer(to: FindStops(name: "harbour")).count == 2)
    #expect(stubs.sent.count == 1)
  }
}
