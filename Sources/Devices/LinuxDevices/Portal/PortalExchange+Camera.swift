internal import AccessModel
internal import CLinux
internal import Glibc
internal import MessageBus

extension PortalExchange {
  /// Requests access to the camera, and opens the connection to PipeWire if the user grants it.
  static func camera(_ request: PortalRequest, on address: BusAddress) async -> PortalReply {
    let exchange = PortalExchange(application: request.application, timeout: request.timeout)
    do throws(PortalTrouble) {
      let answered = try await exchange.ask(on: address) { PortalCalls.accessCamera($0) }
      guard answered.response == .granted else { return PortalReply(answered.response.outcome) }
      return PortalReply(granting: try await exchange.remote(answered.client))
    } catch {
      return PortalReply(error.outcome)
    }
  }

  private func remote(_ client: BusClient) async throws(PortalTrouble) -> DeviceDescriptor {
    let reply: BusReply
    do throws(PortalTrouble) {
      reply = try await call(client, PortalCalls.openRemote)
    } catch {
      throw error == .forbidden ? .withheld : error
    }
    guard let number = PortalReading.remote(reply.values)?.take() else {
      throw .failed("the portal returned no descriptor")
    }
    let remote = DeviceDescriptor(adopting: number)
    var status = stat()
    guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
      throw .failed("the portal returned something other than a connection")
    }
    return remote
  }
}
