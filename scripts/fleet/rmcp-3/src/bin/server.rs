// rmcp's own Streamable HTTP server behind axum, or its stdio transport. One handler per session, so the counter is a session's.
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rmcp::handler::server::{router::tool::ToolRouter, wrapper::Parameters};
use rmcp::model::{ServerCapabilities, ServerConfig};
use rmcp::transport::stdio;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use rmcp::{ServerHandler, ServiceExt, schemars, tool, tool_handler, tool_router};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    message: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sleep {
    ms: f64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Payload {
    bytes: usize,
}

#[derive(Clone)]
struct Fleet {
    count: Arc<AtomicU64>,
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Fleet {
    fn new() -> Self {
        Self { count: Arc::new(AtomicU64::new(0)), tool_router: Self::tool_router() }
    }

    #[tool(description = "Returns the message.")]
    async fn echo(&self, Parameters(Echo { message }): Parameters<Echo>) -> String {
        message
    }

    #[tool(description = "Answers after a delay.")]
    async fn sleep(&self, Parameters(Sleep { ms }): Parameters<Sleep>) -> String {
        tokio::time::sleep(Duration::from_secs_f64(ms.clamp(0.0, 60_000.0) / 1000.0)).await;
        format!("slept {ms}")
    }

    #[tool(description = "Returns that many bytes.")]
    async fn payload(&self, Parameters(Payload { bytes }): Parameters<Payload>) -> String {
        "x".repeat(bytes.min(16_777_216))
    }

    #[tool(description = "Counts the calls of this session.")]
    async fn counter(&self) -> String {
        (self.count.fetch_add(1, Ordering::Relaxed) + 1).to_string()
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Fleet {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mode = words.first().map_or("", String::as_str);
    if mode == "stdio" {
        Fleet::new().serve(stdio()).await?.waiting().await?;
        return Ok(());
    }
    let config = StreamableHttpServerConfig::default();
    let config = match mode {
        "sessions" => config,
        "sessionless" => config.with_legacy_session_mode(false),
        "sessionless-json" => config.with_legacy_session_mode(false).with_json_response(true),
        _ => return Err("usage: server sessions|sessionless|sessionless-json PORT, or server stdio".into()),
    };
    let port: u16 = words.get(1).ok_or("no port")?.parse()?;
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(|| Ok(Fleet::new()), sessions, config);
    let router = axum::Router::new().nest_service("/mcp", service);
    let listener = tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port))).await?;
    axum::serve(listener, router).await?;
    Ok(())
}
